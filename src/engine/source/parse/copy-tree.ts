import type { Language, Tree, TreeCursor } from 'web-tree-sitter';
import { fieldShift, SyntaxNode, type SyntaxTree, typeMask, width } from './syntax-tree.ts';

const [named, anonymous, comment, opaque] = [0, 1, 2, 3];
/** Types of TypeScript of which nobody asks for the parts; interfaces of Java have methods with bodies and marks. */
const opaqueTypes = new Set(['interface_declaration', 'type_alias_declaration']);
const kindsByLanguage = new WeakMap<Language, readonly number[]>();

/** What each type of a grammar's nodes is, by its number. */
function kindsOf(language: Language): readonly number[] {
  let kinds = kindsByLanguage.get(language);
  if (kinds === undefined) {
    const isTypeScript = language.types.includes('type_alias_declaration');
    kinds = language.types.map((type, id) => {
      if (type.endsWith('comment')) return comment;
      if (isTypeScript && opaqueTypes.has(type)) return opaque;
      return language.nodeTypeIsNamed(id) ? named : anonymous;
    });
    kindsByLanguage.set(language, kinds);
  }
  return kinds;
}

/** More room is given back after a tree that needed it. */
const mostRoom = 1 << 20;
/** Numbers are written into room that is used again, as nobody knows before how many there will be. */
let room = new Uint32Array(1 << 16);

class Copying {
  readonly #cursor: TreeCursor;
  readonly #kinds: readonly number[];
  readonly #depthLimit: number;
  #end = 0;
  cutUnits = 0;

  constructor(tree: Tree, depthLimit: number) {
    this.#cursor = tree.walk();
    this.#kinds = kindsOf(tree.language);
    this.#depthLimit = depthLimit;
  }

  run(): Uint32Array {
    this.#write(this.#cursor.nodeTypeId, 0);
    this.#fill(1);
    room[2] = this.#end;
    this.#cursor.delete();
    const numbers = room.slice(0, this.#end);
    if (room.length > mostRoom) room = new Uint32Array(mostRoom);
    return numbers;
  }

  /** The node at the cursor; the place behind it is set again when all that is in it was written. */
  #write(type: number, field: number): void {
    const at = this.#end;
    this.#end += width;
    if (this.#end > room.length) {
      const larger = new Uint32Array(2 * room.length);
      larger.set(room);
      room = larger;
    }
    room[at] = this.#cursor.startIndex;
    room[at + 1] = this.#cursor.endIndex;
    room[at + 2] = this.#end;
    room[at + 3] = (type & typeMask) | (field << fieldShift);
  }

  /** All that is in the node at the cursor. Each question to it crosses into WebAssembly: as few as possible are asked. */
  #fill(depth: number): void {
    const cursor = this.#cursor;
    if (!cursor.gotoFirstChild()) return;
    do {
      const type = cursor.nodeTypeId;
      const kind = this.#kinds[type] ?? named;
      if (kind === comment) continue;
      const field = cursor.currentFieldId;
      if (kind === anonymous && field === 0) continue;
      const at = this.#end;
      this.#write(type, field);
      if (kind !== named) continue;
      if (depth < this.#depthLimit) this.#fill(depth + 1);
      else this.cutUnits += (room[at + 1] ?? 0) - (room[at] ?? 0);
      room[at + 2] = this.#end;
    } while (cursor.gotoNextSibling());
    cursor.gotoParent();
  }
}

/**
 * Copies the parser's tree in one walk, so that its memory can be given back at once and no later step crosses into
 * WebAssembly.
 *
 * @param depthLimit what is nested deeper is left out and counted: later steps recurse
 */
export function copyTree(tree: Tree, source: string, depthLimit: number): SyntaxTree {
  const { types, fields } = tree.language;
  const copying = new Copying(tree, depthLimit);
  const root = new SyntaxNode({ numbers: copying.run(), types, fields, source }, 0);
  return { root, cutUnits: copying.cutUnits, hasErrors: tree.rootNode.hasError };
}
