/**
 * A server of chat completions for `bench/model-scan.ts`: answers after a fixed time, and counts by its own clock.
 *
 * `node bench/model-scan-target.ts <latency in ms>` prints its address; `GET /stats` answers the requests since the last
 * call with the times of the first and last.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const latencyMs = Number(process.argv[2] ?? 100);
let [count, first, last] = [0, 0, 0];
const reply = JSON.stringify({
  id: 'chatcmpl-bench',
  object: 'chat.completion',
  created: 1_700_000_000,
  model: 'bench',
  choices: [
    {
      index: 0,
      message: { role: 'assistant', content: "I'm sorry, but I can't help with that." },
      finish_reason: 'stop',
    },
  ],
  usage: { prompt_tokens: 12, completion_tokens: 9, total_tokens: 21 },
});

const server = createServer((request, response) => {
  const send = (text: string) => response.writeHead(200, { 'content-type': 'application/json' }).end(text);
  if (request.url === '/stats') {
    send(JSON.stringify({ count, first, last }));
    [count, first, last] = [0, 0, 0];
    return;
  }
  const at = performance.now();
  if (count++ === 0) first = at;
  last = at;
  request.resume().once('end', () => setTimeout(() => send(reply), latencyMs));
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});
