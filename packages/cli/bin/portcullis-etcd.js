#!/usr/bin/env node
// A file that is there before anything is built, so that installing a clone puts the command on the path.
import "../dist/bundle/portcullis-etcd.js";
