/** How a scripted target fails, beside how it answers. */
import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/** What each does, for the command line. */
export const faults = {
  burst_429: 'the first two of every ten requests get 429 with Retry-After: 1',
  slow: 'each reply takes two seconds',
  truncated_json: 'every third reply is cut off in the middle',
  dropped: 'every third connection is closed in the middle of its reply',
  wrong_type: 'every reply is an event stream',
  html: 'every reply is a web page',
  broken: 'every reply is 500',
} as const;
export type Fault = keyof typeof faults;

interface Played {
  readonly status: number;
  readonly play: (response: ServerResponse, reply: () => object) => Promise<void> | void;
}

const json = { 'content-type': 'application/json' };
const whole = (reply: () => object) => JSON.stringify(reply());

/**
 * What to do with a request instead of a good answer; undefined: answer it.
 * @param number of the request, from 1
 */
export function faultOf(fault: Fault, number: number): Played | undefined {
  const isThird = number % 3 === 0;
  switch (fault) {
    case 'burst_429':
      return (number - 1) % 10 < 2
        ? {
            status: 429,
            play: (response) => void response.writeHead(429, { ...json, 'retry-after': '1' }).end('{}'),
          }
        : undefined;
    case 'slow':
      return {
        status: 200,
        play: async (response, reply) => {
          await sleep(2000);
          response.writeHead(200, json).end(whole(reply));
        },
      };
    case 'truncated_json':
      return isThird
        ? {
            status: 200,
            play: (response, reply) => void response.writeHead(200, json).end(whole(reply).slice(0, -20)),
          }
        : undefined;
    case 'dropped':
      return isThird
        ? {
            status: 0,
            play: (response, reply) => {
              const text = whole(reply);
              response.writeHead(200, { ...json, 'content-length': text.length });
              response.write(text.slice(0, 20), () => response.destroy());
            },
          }
        : undefined;
    case 'wrong_type':
      return {
        status: 200,
        play: (response) =>
          void response.writeHead(200, { 'content-type': 'text/event-stream' }).end('data: [DONE]\n\n'),
      };
    case 'html':
      return {
        status: 200,
        play: (response) =>
          void response
            .writeHead(200, { 'content-type': 'text/html' })
            .end('<!doctype html><title>Sign in</title>'),
      };
    case 'broken':
      return {
        status: 500,
        play: (response) => void response.writeHead(500, json).end('{"error":"broken"}'),
      };
  }
}
