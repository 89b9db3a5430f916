import type { Machine } from '../taint/frame.ts';
import type { FunctionValue, Value } from '../taint/value.ts';

export type EntranceKind = 'tool' | 'resource' | 'prompt' | 'http' | 'exported';

/** What a call, a decorator or a shape offers as a handler. */
export interface Offer {
  kind: EntranceKind;
  name: string;
  description: string;
  fn: FunctionValue;
  /** What the author said each field may be. */
  schema?: Value | undefined;
  /** Only the first parameter is the caller's. */
  firstOnly?: boolean;
  /** Where one parameter has such a name, those that have none are not the caller's. */
  inputs?: RegExp;
  machine?: Machine;
}
