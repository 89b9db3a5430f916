/**
 * The intermediate form: what all languages come down to before rules look at them. It keeps the structure of the
 * source (branches, loops, handlers), because guards are read from it; see docs/decisions/023.
 */

/** Offsets into the file's text, in UTF-16 units. */
export interface Span {
  at: number;
  end: number;
}

export type Expression = Span &
  (
    | { is: 'name'; name: string }
    | { is: 'literal'; value: string | number | boolean | null }
    | { is: 'pattern'; source: string }
    /** Text put together of parts: templates, concatenation, formatting. */
    | { is: 'text'; parts: Expression[] }
    | { is: 'member'; object: Expression; property: string }
    | { is: 'index'; object: Expression; key: Expression }
    | { is: 'call'; callee: Expression; args: Argument[]; isNew: boolean }
    /** `type` as it is written, without its package (in Go that is `library`), where the language says it at the place. */
    | { is: 'object'; entries: Entry[]; type?: string; library?: string }
    | { is: 'list'; items: Expression[] }
    | { is: 'spread'; operand: Expression }
    | { is: 'function'; fn: FunctionForm }
    | { is: 'binary'; operator: string; left: Expression; right: Expression }
    | { is: 'not'; operand: Expression }
    | { is: 'choice'; test: Expression; yes: Expression; no: Expression }
    /** `type` as it is declared, where the language says it at the place; `isNew` where the variable is declared here. */
    | { is: 'assign'; target: Target; value: Expression; type?: string; isNew?: true }
    /** `x match { … }` and other expressions that are statements too; the value is that of the last one. */
    | { is: 'steps'; body: Statement[] }
    /** Anything else; taint of any part is taint of the whole. */
    | { is: 'several'; items: Expression[] }
  );

export interface Argument {
  value: Expression;
  /** Of a keyword argument. */
  name?: string;
}

export interface Entry {
  /** Undefined for a spread. */
  key?: string | Expression;
  value: Expression;
}

/** What can stand left of an assignment. */
export type Target =
  | Expression
  | (Span & { is: 'fields'; fields: { key?: string; target: Target; preset?: Expression }[] })
  | (Span & { is: 'items'; items: (Target | undefined)[] });

export type Statement = Span &
  (
    | { is: 'do'; value: Expression }
    | { is: 'if'; test: Expression; yes: Statement[]; no: Statement[] }
    | { is: 'loop'; target?: Target; over?: Expression; test?: Expression; body: Statement[] }
    /** `more`: further values, as Go gives several at once. */
    | { is: 'return'; value?: Expression; more?: Expression[] }
    | { is: 'throw'; value?: Expression }
    /** Out of a loop or a case; `next` goes on with the loop's next round. */
    | { is: 'leave'; to?: 'next' }
    | { is: 'try'; body: Statement[]; handlers: Statement[][]; last: Statement[] }
    | { is: 'switch'; subject: Expression; cases: { values: Expression[]; body: Statement[] }[] }
    | { is: 'function'; fn: FunctionForm }
    | { is: 'class'; form: ClassForm }
    | { is: 'block'; body: Statement[] }
  );

export interface Parameter {
  target: Target;
  /** As written, such as `str` or `z.infer<typeof Input>`. */
  type?: string;
  preset?: Expression;
  isRest?: boolean;
  /** Written `private x` in a constructor: a field as well. */
  isField?: boolean;
  /** Names of annotations on the parameter. */
  marks?: string[];
  /** A pattern that it must match as a whole. */
  constraint?: string;
}

export interface FunctionForm extends Span {
  name: string;
  parameters: Parameter[];
  body: Statement[];
  /** Decorators, annotations and attributes; a bare one is a name or member. */
  marks: Expression[];
  isExported: boolean;
  /** Of the class it belongs to. */
  owner?: string;
  isStatic?: boolean;
  /** A constructor of a record, which is given its parts in their order. */
  isCompact?: true;
  /** It is declared without a body: classes derived from its own say what it does. */
  isAbstract?: true;
  /** Name of the receiver, such as `self` in Python or `s` in Go. */
  receiver?: string;
  result?: string;
}

export interface ClassForm extends Span {
  name: string;
  bases: string[];
  fields: { name: string; type?: string; value?: Expression; constraint?: string }[];
  methods: FunctionForm[];
  marks: Expression[];
  isExported: boolean;
}

export interface Import {
  local: string;
  /** As written. */
  module: string;
  /** `*` for the whole module. */
  name: string;
  /** The whole path of a Go package. */
  path?: string;
}

export interface ModuleForm {
  imports: Import[];
  /** Exported name to local name, or to a name of another module. */
  exports: { name: string; local: string; module?: string }[];
  body: Statement[];
  /** Go's and Java's package, as written. */
  packageName?: string;
}
