/** The scripted target as a server of chat completions. `bulwark model target` starts it. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { listenHere } from '#base/http/listen.ts';
import type { ScanCase } from '#engine/model-scan/case.ts';
import { type Fault, faultOf } from './faults.ts';
import { newMemory, type Persona, personas } from './personas.ts';

export interface ScriptedTargetOptions {
  readonly persona: string;
  /** Data sets whose requests it knows. */
  readonly cases: readonly ScanCase[];
  readonly fault?: Fault | undefined;
  /** 0: a free one. */
  readonly port?: number;
  /** The key that requests must have; without it any is taken. */
  readonly apiKey?: string | undefined;
  /** The only model that it has; without it any is taken. */
  readonly modelName?: string | undefined;
  readonly latencyMs?: number;
  readonly givesInAt?: number;
  readonly givesInAfter?: number;
}

/** A request that was answered, as the target's own log has it. */
export interface Logged {
  readonly at: number;
  /** The whole conversation as JSON, which tells units apart. */
  readonly conversation: string;
  readonly headers: IncomingMessage['headers'];
  readonly status: number;
}

export interface ScriptedTarget extends AsyncDisposable {
  /** Ends in `/v1`. */
  readonly url: string;
  readonly log: readonly Logged[];
  readonly mostAtOnce: () => number;
  /** Plays another fault from now on. */
  play(fault: Fault | undefined): void;
}

const Body = z.object({
  model: z.string(),
  messages: z.array(z.object({ role: z.enum(['system', 'user', 'assistant']), content: z.string() })).min(1),
});

/** @throws RangeError for an unknown persona */
export async function startScriptedTarget(options: ScriptedTargetOptions): Promise<ScriptedTarget> {
  const { port = 0, latencyMs = 0 } = options;
  const persona = getPersona(options.persona);
  const memory = newMemory(options.cases, options);
  const log: Logged[] = [];
  let fault = options.fault;
  let requests = 0;
  let atOnce = 0;
  let most = 0;

  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const text = await bodyOf(request);
    const number = ++requests;
    const at = Date.now();
    const body = Body.safeParse(parsed(text));
    const note = (status: number) =>
      log.push({
        at,
        conversation: JSON.stringify(body.data?.messages ?? text),
        headers: request.headers,
        status,
      });
    const refuse = (status: number, message: string) => {
      note(status);
      send(response, status, { error: { message, type: 'invalid_request_error' } });
    };
    if (!request.url?.endsWith('/chat/completions')) return refuse(404, 'There is nothing here.');
    if (options.apiKey !== undefined && request.headers.authorization !== `Bearer ${options.apiKey}`)
      return refuse(401, `Incorrect API key provided: ${request.headers.authorization ?? 'none'}.`);
    if (!body.success) return refuse(400, 'The request is not a chat completion.');
    if (options.modelName !== undefined && body.data.model !== options.modelName)
      return refuse(404, `The model ${body.data.model} does not exist.`);
    if (latencyMs > 0) await sleep(latencyMs);
    const reply = () => completion(body.data, persona.reply(body.data.messages, memory));
    const played = fault === undefined ? undefined : faultOf(fault, number);
    if (played === undefined) {
      note(200);
      return send(response, 200, reply());
    }
    note(played.status);
    return played.play(response, reply);
  };
  const server = createServer((request, response) => {
    most = Math.max(most, ++atOnce);
    response.once('close', () => atOnce--);
    answer(request, response).catch(() => response.destroy());
  });
  const url = await listenHere(server, { service: 'the scripted model', port, portSetting: '--port' });
  return {
    url: `${url}/v1`,
    log,
    mostAtOnce: () => most,
    play: (other) => {
      fault = other;
      requests = 0;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function getPersona(id: string): Persona {
  const found = personas.find((each) => each.id === id);
  if (found === undefined)
    throw new RangeError(
      `There is no persona ${id}; there are ${personas.map((each) => each.id).join(', ')}.`,
    );
  return found;
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) text += String(chunk);
  return text;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

const words = (text: string) => text.split(/\s+/u).filter(Boolean).length;

const completion = ({ model, messages }: z.output<typeof Body>, content: string) => ({
  id: 'chatcmpl-scripted',
  object: 'chat.completion',
  created: 1_700_000_000,
  model,
  choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
  usage: {
    prompt_tokens: words(messages.map((message) => message.content).join(' ')),
    completion_tokens: words(content),
    total_tokens: 0,
  },
});

const send = (response: ServerResponse, status: number, body: object) => {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
};
