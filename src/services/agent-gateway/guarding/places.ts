/**
 * Where in a message of the protocol a value stands, as far as that decides how it is read. Names alone decide nothing:
 * a server may call a field of its data `blob`, `type` or `requestState`, and what stands there reaches the agent as it
 * is.
 */

/**
 * `identifier`: a name that the protocol knows. `opaque`: what the client sends back as it is. `address`: by which it
 * finds a resource again. `blob` and `media`: binary data in base64, `media` only beside the type of a picture or sound.
 */
export type PlaceKind = 'identifier' | 'opaque' | 'address' | 'blob' | 'media';

/** Elements of lists stand where the list does. */
export interface Place {
  readonly kind?: PlaceKind;
  readonly under?: ReadonlyMap<string, Place>;
  /** What stands under any name. */
  readonly each?: Place;
}

const identifier: Place = { kind: 'identifier' };
const opaque: Place = { kind: 'opaque' };
const address: Place = { kind: 'address' };

const resource: Place = {
  under: new Map([
    ['uri', address],
    ['mimeType', identifier],
    ['blob', { kind: 'blob' }],
  ]),
};

const blockFields = new Map<string, Place>([
  ['type', identifier],
  ['mimeType', identifier],
  ['data', { kind: 'media' }],
  ['uri', address],
  ['resource', resource],
]);
const block: Place = { under: blockFields };
// Results of tools among the messages that a model is asked about.
blockFields.set('content', block);

const messageFields = new Map<string, Place>([
  ['content', block],
  ['contents', resource],
  ['messages', { under: new Map([['content', block]]) }],
  ['resultType', identifier],
  ['cacheScope', identifier],
  ['requestState', opaque],
  // Of a notification about a resource.
  ['uri', address],
]);

/** A result, and what a request or a notification carries. */
export const messagePlace: Place = { under: messageFields };

messageFields.set('inputRequests', {
  each: {
    under: new Map([
      ['method', identifier],
      ['params', messagePlace],
    ]),
  },
});

/** The message as the only field of another, such as to quote it. */
export const wrappedPlace: Place = { each: messagePlace };

/** Where the value of a field stands; undefined where the protocol says nothing of it. */
export const placeUnder = (place: Place | undefined, key: string): Place | undefined =>
  place === undefined ? undefined : (place.under?.get(key) ?? place.each);

const longestIdentifier = 200;
const fewestWords = 4;
const betweenWords = /[-_+./\s]+/g;

/** The words of a name or an address that is a sentence; undefined of others. */
export function wordsOf(name: string): string | undefined {
  const words = name.replaceAll(betweenWords, ' ').trim();
  return words.split(' ').length >= fewestWords ? words : undefined;
}

/** Whether the protocol needs the value as it is: an identifier is short and one word. */
export const isIdentifier = (value: string): boolean =>
  value.length <= longestIdentifier && !/\s/.test(value);

/** Whether the type of a block says that its data is a picture or a sound. */
export const isMediaType = (type: unknown): boolean => type === 'image' || type === 'audio';
