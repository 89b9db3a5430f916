import type { Machine } from '../taint/frame.ts';
import type { Definition } from './definition.ts';
import type { FunctionValue, Value } from '../taint/value.ts';

export type EntranceKind = 'tool' | 'resource' | 'prompt' | 'http' | 'exported';

/** Takes in what was found. */
export type Note = (offer: Offer) => void;

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
  /** What the caller gives are the fields of the object that the method is of. */
  isOfFields?: true;
  /** What is said besides the description. */
  definition?: Definition;
  /** It answers requests of the protocol for all that the server offers: it is no tool itself. */
  isForAll?: boolean;
  /** Of requests for resources or prompts. */
  offers?: 'resource' | 'prompt' | undefined;
}
