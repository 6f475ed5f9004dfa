/** How our server's latency changes with the number of objects, CRDs and watchers. */
import { COLLECTION, inParallel, install, percentile, widget } from "./workload.mjs";

const SAMPLES = 200;

export async function growth(start, quick) {
  await objects(start, quick ? [1_000, 5_000] : [1_000, 10_000, 50_000, 200_000]);
  await definitions(start, quick ? [1, 50] : [1, 100, 500, 2_000]);
  await watchers(start, quick ? [1, 100] : [1, 100, 500, 2_000]);
}

async function objects(start, sizes) {
  console.log("\ngrowth with objects (embedded): milliseconds at the median, one client");
  console.log(row(["objects", "create", "get", "list of 500", "by label, 500", "MB", "restart ms"]));
  const { server, restart } = await start();
  await install(server.client);
  let current = server;
  let count = 0;
  for (const size of sizes) {
    await inParallel(size - count, 32, async (i) => current.client.must("POST", COLLECTION, widget(`w-${count + i}`)));
    count = size;
    const { client } = current;
    const create = await median((i) => client.must("POST", COLLECTION, widget(`t-${size}-${i}`)));
    const get = await median((i) => client.must("GET", `${COLLECTION}/w-${(i * 7_919) % size}`));
    const list = await median(() => client.must("GET", `${COLLECTION}?limit=500`), 10);
    const label = await median(() => client.must("GET", `${COLLECTION}?limit=500&labelSelector=shard%3Ds3`), 10);
    const memory = current.memory();
    current = await restart();
    console.log(
      row([size, ms(create), ms(get), ms(list), ms(label), memory.toFixed(0), current.startMillis.toFixed(0)]),
    );
  }
  current.stop();
}

async function definitions(start, sizes) {
  console.log("\ngrowth with definitions (embedded): milliseconds at the median, one client");
  console.log(row(["definitions", "new definition", "create", "discovery", "openapi v3", "openapi v2", "MB"]));
  const { server } = await start();
  const { client } = server;
  await install(client);
  let count = 1;
  for (const size of sizes) {
    for (; count < size; count++) await install(client, count);
    const definition = await median((i) => install(client, 100_000 + size * 10 + i), 5);
    const create = await median((i) => client.must("POST", COLLECTION, widget(`d-${size}-${i}`)));
    const discovery = await median(() => client.must("GET", "/apis/bench.example.com/v1"), 10);
    const v3 = await median(() => client.must("GET", "/openapi/v3/apis/bench.example.com/v1"), 3);
    const v2 = await median(() => client.must("GET", "/openapi/v2"), 3);
    console.log(row([size, ms(definition), ms(create), ms(discovery), ms(v3), ms(v2), server.memory().toFixed(0)]));
  }
  server.stop();
}

async function watchers(start, sizes) {
  console.log("\ngrowth with watchers (embedded): one write, until the last watcher has its event");
  console.log(row(["watchers", "write ms", "last event ms", "us per watcher", "MB"]));
  const { server } = await start();
  const { client } = server;
  await install(client);
  const open = [];
  let onLine = () => {};
  for (const size of sizes) {
    while (open.length < size)
      open.push(await client.watch(`${COLLECTION}?watch=1&resourceVersion=0`, (line) => onLine(line)));
    const writes = [];
    const last = await median(async (i) => {
      let missing = size;
      const all = new Promise((resolve) => {
        onLine = (line) => {
          if (line.includes(`"w-${size}-${i}"`) && --missing === 0) resolve();
        };
      });
      const begin = performance.now();
      await client.must("POST", COLLECTION, widget(`w-${size}-${i}`));
      writes.push(performance.now() - begin);
      await all;
    }, 20);
    writes.sort((a, b) => a - b);
    console.log(
      row([
        size,
        ms(percentile(writes, 0.5)),
        ms(last),
        ((last * 1_000) / size).toFixed(0),
        server.memory().toFixed(0),
      ]),
    );
  }
  for (const watch of open) watch.close();
  server.stop();
}

async function median(work, samples = SAMPLES) {
  const { times } = await inParallel(samples, 1, work);
  return percentile(times, 0.5);
}

const ms = (millis) => millis.toFixed(2);
const row = (cells) => cells.map((cell) => String(cell).padStart(15)).join("");
