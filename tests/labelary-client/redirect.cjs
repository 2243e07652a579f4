// Preloaded into the client: the name api.labelary.com leads to the service under test, as a changed base address would.
const http = require('node:http');

const target = new URL(process.env.PLATEN_URL);
const original = http.request;
http.request = (input, options, callback) => {
  const url = new URL(typeof input === 'string' || input instanceof URL ? input : `http://${input.hostname || input.host}${input.path}`);
  if (url.hostname !== 'api.labelary.com') throw new Error(`an unexpected host: ${url.hostname}`);
  const given = typeof input === 'object' && !(input instanceof URL) ? { ...input, ...options } : { ...options };
  return original({ ...given, protocol: 'http:', host: target.hostname, hostname: target.hostname, port: target.port, path: url.pathname + url.search, agent: undefined },
    typeof options === 'function' ? options : callback);
};
