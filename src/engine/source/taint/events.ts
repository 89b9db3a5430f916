import type { Called, Frame, Given, Machine, Messages } from './frame.ts';
import { clean, type FunctionValue, isTainted, join, type Value } from './value.ts';

const listens = /^(?:on|once|addListener|addEventListener|prependListener|subscribe)$/;
const emits = /^(?:emit|publish|dispatch|fire|trigger|notify)$/;

/** Names of events that objects of libraries have: who emits one is not who is listened to. */
const libraryEvents = new Set(
  'data error end close exit message request response connection connect open finish drain ready upgrade listening timeout'.split(
    ' ',
  ),
);

const sends = /^(?:send|try_send|blocking_send|send_async|send_timeout)$/;
const receives = /^(?:recv|try_recv|blocking_recv|recv_async|recv_timeout)$/;

type Run = (fn: FunctionValue, given: readonly Given[]) => void;

/** What is kept of an event for listeners that come later. */
const mostSent = 20;

interface Channel {
  listeners: FunctionValue[];
  sent: (readonly Given[])[];
}

const withoutPaths = (value: Value): Value => {
  const { of: _, check: __, ...rest } = value;
  return rest;
};

/** Listeners of each event of the project, and what was sent to them, by the name of the event. */
export class Events implements Messages {
  readonly #channels = new Map<string, Channel>();

  #channel(name: string): Channel {
    let channel = this.#channels.get(name);
    if (channel === undefined) this.#channels.set(name, (channel = { listeners: [], sent: [] }));
    return channel;
  }

  /** All that Rust's channels carry: which end belongs to which is seldom written where they are used. */
  #carried: Value = clean;

  get carries(): boolean {
    return isTainted(this.#carried);
  }

  /** `sender.send(x)` and what `receiver.recv()` gives. */
  lookChannel(called: Called, args: readonly Given[], frame: Frame): Value | undefined {
    if (frame.module.grammar !== 'rust' || called.object === undefined) return undefined;
    if (sends.test(called.method))
      for (const { value } of args)
        if (isTainted(value)) this.#carried = join(this.#carried, withoutPaths(value));
    return receives.test(called.method) && this.carries ? this.#carried : undefined;
  }

  /** `bus.on('saved', f)` and `bus.emit('saved', x)`: the one is called with what the other gives. */
  look(called: Called, args: readonly Given[], machine: Machine, frame: Frame): void {
    const name = args[0]?.value.constant;
    if (called.object === undefined || typeof name !== 'string' || libraryEvents.has(name)) return;
    const [first] = args;
    if (first === undefined) return;
    const run: Run = (fn, given) => void machine.call(fn, given, frame, first.expression);
    if (listens.test(called.method)) this.#listen(name, args[1]?.value.fn, run);
    else if (emits.test(called.method)) this.#emit(name, args.slice(1), run);
  }

  #listen(name: string, fn: FunctionValue | undefined, run: Run): void {
    if (fn === undefined) return;
    const channel = this.#channel(name);
    if (channel.listeners.some((each) => each.fn === fn.fn)) return;
    channel.listeners.push(fn);
    for (const given of channel.sent) run(fn, given);
  }

  #emit(name: string, given: readonly Given[], run: Run): void {
    if (!given.some(({ value }) => isTainted(value))) return;
    const channel = this.#channel(name);
    if (channel.sent.length < mostSent) channel.sent.push(given);
    for (const fn of channel.listeners) run(fn, given);
  }
}
