/** Hands back the object that it is made of, to which a class below it then adds a private field. */
class Given {
  constructor(of: object) {
    // oxlint-disable-next-line no-constructor-return -- a private field is added to what a constructor returns.
    return of;
  }
}

/** What is kept of objects that a caller owns. */
export interface KeptOn<K extends object, V> {
  get(of: K): V | undefined;
  set(of: K, value: V): void;
}

/**
 * Keeps something with an object that belongs to somebody else, for as long as the object lives. A weak map says the same,
 * but small garbage collections take what it holds for alive, and each trace that was judged lived on until the next full
 * one. A private field goes with its object; nobody else sees it, and copies of the object do not have it.
 */
export function keptOn<K extends object, V>(): KeptOn<K, V> {
  class Keeping extends Given {
    #value: V | undefined;

    static get(of: object): V | undefined {
      return #value in of ? of.#value : undefined;
    }

    static set(of: object, value: V): void {
      const kept = #value in of ? of : (new Keeping(of) as Keeping);
      kept.#value = value;
    }
  }
  return Keeping;
}
