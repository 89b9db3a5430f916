/** Texts in the bodies of chat interfaces: OpenAI's chat, completions and responses, Anthropic's messages. */
import type { ContextMessage } from '#engine/text/types.ts';

/** One text with the part that it plays; `tool` for what tools gave and what they are called with. */
export interface Turn {
  readonly role: ContextMessage['role'] | 'tool';
  readonly text: string;
}

type Json = Record<string, unknown>;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

const asText = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? '');

/** Bodies are as deep as their senders like; texts that matter to a model are not. */
const maxDepth = 6;

/** Texts of a message's content: a string, or parts that hold one or contents of their own. */
function textsOf(content: unknown, depth = 0): string[] {
  if (typeof content === 'string') return [content];
  if (depth > maxDepth) return [];
  if (Array.isArray(content)) return content.flatMap((part) => textsOf(part, depth + 1));
  if (!isObject(content)) return [];
  // A call of a tool inside of the content, as Anthropic has them.
  const input = content['type'] === 'tool_use' ? [asText(content['input'])] : [];
  return [
    ...input,
    ...['text', 'content', 'refusal', 'output'].flatMap((key) => textsOf(content[key], depth + 1)),
  ];
}

const roles: Readonly<Record<string, Turn['role']>> = {
  system: 'system',
  developer: 'system',
  assistant: 'assistant',
  tool: 'tool',
  function: 'tool',
};

/** What a call of a tool is called with, if it is one: JSON, or the text of a tool that takes any. */
function calledWith(call: unknown): Turn[] {
  if (!isObject(call)) return [];
  const given = call['arguments'] ?? call['input'];
  return given === undefined ? [] : [{ role: 'tool', text: asText(given) }];
}

/** The arguments of calls of tools. */
export const toolCallTurns = (calls: unknown): Turn[] =>
  list(calls).flatMap((call) => (isObject(call) ? calledWith(call['function'] ?? call['custom']) : []));

/** The turns of one message; several parts of text are one turn. */
export function messageTurns(message: unknown): Turn[] {
  if (!isObject(message)) return textsOf(message).map((text) => ({ role: 'user', text }));
  const text = textsOf(message).join('\n');
  const type = String(message['type']);
  const role = roles[String(message['role'])] ?? (type.endsWith('_call_output') ? 'tool' : 'user');
  return [
    ...(text === '' ? [] : [{ role, text }]),
    ...toolCallTurns(message['tool_calls']),
    // As chats had them before there were several in one message.
    ...calledWith(message['function_call']),
    ...(type.endsWith('_call') ? calledWith(message) : []),
  ];
}

/** All turns of the body of a request, oldest first; its instructions are a system turn. */
export function requestTurns(body: unknown): Turn[] {
  if (!isObject(body)) return messageTurns(body);
  const instructions = [body['system'], body['instructions']].flatMap((each) => textsOf(each));
  const prompts = typeof body['prompt'] === 'string' ? [body['prompt']] : list(body['prompt']);
  const inputs = typeof body['input'] === 'string' ? [body['input']] : list(body['input']);
  return [
    ...instructions.map((text): Turn => ({ role: 'system', text })),
    ...[...list(body['messages']), ...prompts, ...inputs].flatMap(messageTurns),
  ];
}

/** All turns of the body of a response: each choice, and the calls of tools that it makes. */
export function responseTurns(body: unknown): Turn[] {
  if (!isObject(body)) return textsOf(body).map((text) => ({ role: 'assistant', text }));
  const choices = list(body['choices']).flatMap((choice) =>
    isObject(choice) ? (isObject(choice['message']) ? [choice['message']] : [{ text: choice['text'] }]) : [],
  );
  const blocks = body['content'] === undefined ? [] : [{ content: body['content'] }];
  return [...choices, ...blocks, ...list(body['output'])].flatMap((message) =>
    messageTurns(message).map((turn): Turn => (turn.role === 'user' ? { ...turn, role: 'assistant' } : turn)),
  );
}
