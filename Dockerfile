# A small image with the command line: `docker run --rm -v "$PWD:/work:ro" portcullis check deploy/ crds/`
FROM node:22-slim AS build
WORKDIR /src
COPY .npmrc package.json package-lock.json tsconfig.base.json tsconfig.json ./
COPY bench/package.json bench/
COPY conformance/package.json conformance/
COPY tools tools
COPY packages packages
COPY examples/playground examples/playground
RUN npm run build \
 && mkdir /tmp/packages \
 && npm pack --silent --pack-destination /tmp/packages \
      --workspace packages/gostd --workspace packages/cel --workspace packages/engine \
      --workspace packages/server --workspace packages/webhook --workspace packages/cli

FROM node:22-slim
LABEL org.opencontainers.image.title="Portcullis" \
      org.opencontainers.image.description="Check Kubernetes manifests, CRDs and policies as the API server would" \
      org.opencontainers.image.licenses="Apache-2.0"
COPY --from=build /tmp/packages /tmp/packages
RUN npm install --prefix /opt/portcullis --omit=dev --no-audit --no-fund /tmp/packages/*.tgz \
 && ln -s /opt/portcullis/node_modules/.bin/portcullis /usr/local/bin/portcullis \
 && rm -rf /tmp/packages /root/.npm
WORKDIR /work
# An unprivileged user of the base image.
USER node
ENTRYPOINT ["portcullis"]
CMD ["--help"]
