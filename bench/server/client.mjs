/** A plain HTTPS client with persistent connections, the same for every server. */
import https from "node:https";

export function connect(port, token) {
  const agent = new https.Agent({ keepAlive: true, maxSockets: 64, rejectUnauthorized: false });
  const base = { host: "127.0.0.1", port, agent, rejectUnauthorized: false };

  const send = (method, path, body, type = "application/json", accept = "application/json", more = {}) =>
    new Promise((resolve, reject) => {
      const payload =
        body === undefined ? undefined : Buffer.from(typeof body === "string" ? body : JSON.stringify(body));
      const headers = {
        authorization: `Bearer ${token}`,
        ...more,
        accept,
        ...(payload && { "content-type": type, "content-length": payload.length }),
      };
      const request = https.request({ ...base, method, path, headers }, (response) => {
        const chunks = [];
        response.on("data", (chunk) => chunks.push(chunk));
        response.on("error", reject);
        response.on("end", () => resolve({ code: response.statusCode, body: Buffer.concat(chunks) }));
      });
      request.on("error", reject);
      request.end(payload);
    });

  /** The bytes of the response; anything but success is an error, because the benchmark measures completed work. */
  const must = async (...args) => {
    const { code, body } = await send(...args);
    if (code >= 300) throw new Error(`${args[0]} ${args[1]}: ${code} ${body.toString().slice(0, 300)}`);
    return body;
  };

  /** Calls `onLine` with each event of a watch; resolves when the response headers have arrived. */
  const watch = (path, onLine, accept = "application/json") =>
    new Promise((resolve, reject) => {
      const headers = { authorization: `Bearer ${token}`, accept };
      const request = https.request({ ...base, agent: false, method: "GET", path, headers }, (response) => {
        let rest = "";
        response.setEncoding("utf8");
        response.on("data", (chunk) => {
          const lines = (rest + chunk).split("\n");
          rest = lines.pop() ?? "";
          for (const line of lines) onLine(line);
        });
        response.on("error", () => {});
        if (response.statusCode === 200) resolve({ close: () => request.destroy() });
        else reject(new Error(`watch: ${response.statusCode}`));
      });
      request.on("error", reject);
      request.end();
    });

  const isReady = () =>
    send("GET", "/readyz").then(
      ({ code }) => code === 200,
      () => false,
    );
  return { send, must, watch, isReady, close: () => agent.destroy() };
}
