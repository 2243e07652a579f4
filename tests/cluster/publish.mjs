// A publisher of single messages (AMQP 0-9-1), for messages that none of our programs would send.
import net from 'node:net';

const FRAME = 100000; // bytes of a body in one frame: 128 KiB are agreed on
const short = (text) => { const b = Buffer.from(text); return Buffer.concat([Buffer.from([b.length]), b]); };
const long = (bytes) => { const b = Buffer.from(bytes), n = Buffer.alloc(4); n.writeUInt32BE(b.length); return Buffer.concat([n, b]); };
const u16 = (...values) => { const b = Buffer.alloc(2 * values.length); values.forEach((v, i) => b.writeUInt16BE(v, 2 * i)); return b; };
const table = (entries) => long(Buffer.concat(Object.entries(entries).map(([name, value]) => Buffer.concat([short(name), Buffer.from('S'), long(value)]))));
function frame(type, channel, payload) {
  const head = Buffer.alloc(7);
  head.writeUInt8(type); head.writeUInt16BE(channel, 1); head.writeUInt32BE(payload.length, 3);
  return Buffer.concat([head, payload, Buffer.from([0xce])]);
}
const method = (channel, kind, number, ...args) => frame(1, channel, Buffer.concat([u16(kind, number), ...args]));

async function connect(port) {
  const socket = net.connect(port, '127.0.0.1');
  let got = Buffer.alloc(0), wake = () => {};
  socket.on('data', (data) => { got = Buffer.concat([got, data]); wake(); });
  socket.on('error', () => wake());
  // The broker's next method, by its numbers: which one of them it is.
  const answer = async (kind, ...numbers) => {
    for (;;) {
      while (got.length >= 7 && got.length >= 8 + got.readUInt32BE(3)) {
        const payload = got.subarray(7, 7 + got.readUInt32BE(3)), is = got[0] === 1 && payload.readUInt16BE(0) === kind && numbers.includes(payload.readUInt16BE(2));
        got = got.subarray(8 + payload.length);
        if (is) return payload.readUInt16BE(2);
      }
      if (socket.destroyed) throw new Error('the broker closed the connection');
      await new Promise((resolve) => { wake = resolve; setTimeout(resolve, 1000); });
    }
  };
  socket.write(Buffer.from('AMQP\x00\x00\x09\x01', 'latin1'));
  await answer(10, 10);
  socket.write(method(0, 10, 11, table({}), short('PLAIN'), long('\0guest\0guest'), short('en_US')));
  await answer(10, 30);
  socket.write(Buffer.concat([method(0, 10, 31, u16(100, 2, 0, 0)), method(0, 10, 40, short('/'), short(''), Buffer.from([0]))])); // 100 channels, frames of 128 KiB, no heartbeat
  await answer(10, 41);
  socket.write(method(1, 20, 10, short('')));
  await answer(20, 11);
  return { socket, answer };
}

// Takes the first job of a queue and goes: the broker counts a delivery of it.
export async function drop(port, queue) {
  const { socket, answer } = await connect(port);
  do socket.write(method(1, 60, 70, u16(0), short(queue), Buffer.from([0]))); while (await answer(60, 71, 72) === 72);
  socket.write(method(1, 20, 40, u16(200), short(''), u16(0, 0)));
  await answer(20, 41);
  socket.destroy();
}

// Reads a queue and never acknowledges; the broker gives the rest to nobody else where it has one reader at a time. The caller ends it: destroy().
export async function hold(port, queue) {
  const { socket, answer } = await connect(port);
  socket.write(method(1, 60, 20, u16(0), short(queue), short('hold'), Buffer.from([0]), table({})));
  await answer(60, 21);
  return socket;
}

export async function publish(port, exchange, key, id, body, headers = {}, type = 'image/png') {
  const { socket, answer } = await connect(port);
  const content = Buffer.from(body), size = Buffer.alloc(8);
  size.writeBigUInt64BE(BigInt(content.length));
  socket.write(method(1, 85, 10, Buffer.from([0])));
  await answer(85, 11);
  const properties = Buffer.concat([u16(60, 0), size, u16(0x8000 | 0x2000 | 0x1000 | 0x0080), short(type), table(headers), Buffer.from([2]), short(id)]);
  socket.write(Buffer.concat([method(1, 60, 40, u16(0), short(exchange), short(key), Buffer.from([0])), frame(2, 1, properties), ...Array.from({ length: Math.ceil(content.length / FRAME) }, (_, i) => frame(3, 1, content.subarray(i * FRAME, (i + 1) * FRAME)))]));
  await answer(60, 80);
  socket.destroy();
}
