import { Parser, type Tree } from 'web-tree-sitter';

/** The functions of the parser's WebAssembly module that go through a tree; all take the tree's address. */
interface Binding {
  _ts_tree_root_node_wasm: (tree: number) => void;
  _ts_tree_cursor_new_wasm: (tree: number) => void;
  _ts_tree_cursor_delete_wasm: (tree: number) => void;
  _ts_tree_cursor_goto_first_child_wasm: (tree: number) => number;
  _ts_tree_cursor_goto_next_sibling_wasm: (tree: number) => number;
  _ts_tree_cursor_goto_parent_wasm: (tree: number) => number;
  _ts_tree_cursor_current_node_type_id_wasm: (tree: number) => number;
  _ts_tree_cursor_current_field_id_wasm: (tree: number) => number;
  _ts_tree_cursor_start_index_wasm: (tree: number) => number;
  _ts_tree_cursor_end_index_wasm: (tree: number) => number;
}

/** The library puts what its module exports into the object that it is started with. */
const exported: Partial<Binding> = {};
let binding: Binding | undefined;
let ready: Promise<void> | undefined;

/** Starts the parser's module, once for the process. */
export function startParser(): Promise<void> {
  ready ??= Parser.init(exported).then(() => {
    binding = exported as Binding;
  });
  return ready;
}

/**
 * Goes through a tree. The cursor stays where the module reads and leaves it: the library's own copies it there and back
 * for each question, which takes as long as the answer. Nothing else may ask the parser until the walk has ended.
 */
export class TreeWalk {
  readonly #binding: Binding;
  readonly #tree: number;

  constructor(tree: Tree) {
    if (binding === undefined) throw new Error('the parser was not started');
    this.#binding = binding;
    this.#tree = Number(Reflect.get(tree, 0));
    // The root lies then where a cursor begins.
    this.#binding._ts_tree_root_node_wasm(this.#tree);
    this.#binding._ts_tree_cursor_new_wasm(this.#tree);
  }

  /** Number of the node's type in its grammar. */
  get type(): number {
    return this.#binding._ts_tree_cursor_current_node_type_id_wasm(this.#tree);
  }

  /** Number of the name that the node has within the one around it; 0 for none. */
  get field(): number {
    return this.#binding._ts_tree_cursor_current_field_id_wasm(this.#tree);
  }

  /** In UTF-16 units. */
  get start(): number {
    return this.#binding._ts_tree_cursor_start_index_wasm(this.#tree);
  }

  /** The place behind it. */
  get behind(): number {
    return this.#binding._ts_tree_cursor_end_index_wasm(this.#tree);
  }

  toFirstPart(): boolean {
    return this.#binding._ts_tree_cursor_goto_first_child_wasm(this.#tree) === 1;
  }

  toNext(): boolean {
    return this.#binding._ts_tree_cursor_goto_next_sibling_wasm(this.#tree) === 1;
  }

  toWhole(): void {
    this.#binding._ts_tree_cursor_goto_parent_wasm(this.#tree);
  }

  /** Gives back its memory. */
  end(): void {
    this.#binding._ts_tree_cursor_delete_wasm(this.#tree);
  }
}
