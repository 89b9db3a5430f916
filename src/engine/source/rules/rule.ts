import { z } from 'zod';
import { severities } from '#findings/severity.ts';

/**
 * What is called: `subprocess.run`; `**` stands for anything, so `**.execute` is a method of any object and
 * `sqlite3.**.execute` one of an object that came from a module.
 */
const calleeSchema = z.string().min(2);

const languageSchema = z.enum(['javascript', 'python', 'go', 'java', 'rust']);
export type Language = z.infer<typeof languageSchema>;

const expression = z.string().refine(
  (text) => {
    try {
      new RegExp(text);
      return true;
    } catch {
      return false;
    }
  },
  { error: 'is no regular expression' },
);

const sinkSchema = z.strictObject({
  callee: z.union([calleeSchema, z.array(calleeSchema).min(1)]),
  /** Positions of the arguments that count, from 0; -1 is the object itself. All where nothing is said. */
  args: z.array(z.int().min(-1)).optional(),
  /** Names of keyword arguments or options that count too; `**.script.source` is one at any depth. */
  named: z.array(z.string()).optional(),
  /** Of an object that is given, the properties that count. */
  options: z.array(z.string()).optional(),
  /** The last name of the object must match, where nothing is known of it. */
  receiver: z.string().optional(),
  /** Keyword arguments or options that must be true, such as `shell`. */
  where: z.array(z.string()).optional(),
  /** Keyword arguments or options that must not be given, such as `Loader`. */
  unless: z.array(z.string()).optional(),
  /** `first`: only the first element of a list counts, as the program of a command; `rest`: all others; `options`: all up to `--`; `whole`: the value itself, not what lies in its fields; `operators`: what could be an object with operators of a database; `inner`: what a shell reads that the program starts; `program`: what an interpreter is given as a text, `python -c`; `words`: what a text was split into, each of which may be an option; `script`: of a list that begins with a shell or has one within, what that reads. */
  elements: z
    .enum(['first', 'rest', 'options', 'whole', 'operators', 'inner', 'program', 'words', 'script'])
    .optional(),
  /** Named arguments or options, also of what made an argument, that must match: their constant or their name. */
  given: z.record(z.string(), z.string()).optional(),
  notGiven: z.record(z.string(), z.string()).optional(),
  languages: z.array(languageSchema).optional(),
  /** Only where a manifest of the project (package.json) says this: older versions of a library do more. */
  manifest: expression.optional(),
  /** Only text put together of parts. */
  built: z.boolean().optional(),
  /** Only text whose beginning matches, as far as it is written in the source. */
  begins: expression.optional(),
  /** What comes back is made of what was given: an archive is still the one that somebody else chose. */
  passes: z.boolean().optional(),
  /** It makes ready what another call runs: the place is the other one where that is found. */
  prepares: z.boolean().optional(),
  /** Said of these calls in place of the rule's own words. */
  message: z.string().optional(),
  /** Only where an earlier argument or element matches, such as the name of a program. */
  after: z.string().optional(),
  /** Only where an argument was made by a call that matches, such as the request that a client sends. */
  made: z.string().optional(),
  /** Not where an argument was made by a call that matches, such as a context that lets nothing be called. */
  unmade: z.string().optional(),
});
export type Sink = z.infer<typeof sinkSchema>;

const sanitizerSchema = z.strictObject({
  callee: z.union([calleeSchema, z.array(calleeSchema).min(1)]),
});

const exampleSchema = z.strictObject({ language: z.string(), code: z.string() });

const common = {
  id: z.string().regex(/^[a-z][a-z0-9-]+$/),
  version: z.string(),
  title: z.string(),
  description: z.string(),
  severity: z.enum(severities),
  cwe: z.array(z.string().regex(/^CWE-\d+$/)).min(1),
  owasp_mcp: z.string().optional(),
  message: z.string(),
  remediation: z.string(),
  references: z.array(z.url()).default([]),
  tests: z.strictObject({ bad: z.array(exampleSchema).min(2), good: z.array(exampleSchema).min(2) }),
};

const taintSchema = z.strictObject({
  ...common,
  kind: z.literal('taint'),
  sinks: z.array(sinkSchema).min(1),
  sanitizers: z.array(sanitizerSchema).default([]),
  /** Programs of which harm is known: where another one is started, it is of medium severity. */
  programs: expression.optional(),
  /** A word in a tool's name that says that this is what the tool is for: then it is a capability. */
  purpose: z.string().optional(),
  /** The same, in what the tool says of itself. */
  said: expression.optional(),
  /** How a tool names what it is given for this. */
  parameter: expression.optional(),
  /** What is said of a parameter whose value is the caller's choice by design. */
  choice: expression.optional(),
  /** What a project has, anywhere, that means to keep callers within less than that choice. */
  limits: expression.optional(),
  /** How much may stand around such a parameter: a command stays one in `cd folder && command`. */
  around: z.enum(['nothing', 'behind', 'anything']).default('nothing'),
  /** How bad a capability is: `low` where a tool of this kind needs no limits beyond what it is connected to. */
  capability: z.enum(['medium', 'low']).default('medium'),
  /** What a tool may promise that makes it less than that; where nothing in its file `keeps` it, it stays at medium. */
  promises: expression.optional(),
  keeps: expression.optional(),
});
export type TaintRule = z.infer<typeof taintSchema>;

/** One argument, or a named setting of a call. */
const conditionSchema = z.strictObject({
  /** Its position from 0; -1 is the object of a method, and `any` stands for all of them. */
  arg: z.union([z.int().min(-1), z.literal('any')]).optional(),
  /** Name of a keyword argument, or of a setting in an object that is given. */
  name: expression.optional(),
  /** One of the constants that it may be, as text. */
  constant: expression.optional(),
  /** The argument as it is written. */
  text: expression.optional(),
  /** The same, or where it is the name of a variable, what that is set to. */
  value: expression.optional(),
  /** A name whose value is in it. */
  mentions: expression.optional(),
});
export type Condition = z.infer<typeof conditionSchema>;

/** A place in the code; all that is said must hold. Of `call`, `entry`, `compare`, `endlessLoop`, `returned` and `declared` one is
 * given. */
const matchSchema = z.strictObject({
  call: z.union([calleeSchema, z.array(calleeSchema).min(1)]).optional(),
  /** The last name of the object that the method is called on. */
  receiver: expression.optional(),
  /** The name of what is set: a variable, a property, an option, a keyword argument. */
  entry: expression.optional(),
  /** One of the constants that the entry may be, as text. */
  constant: expression.optional(),
  /** The value of the entry, as it is written. */
  text: expression.optional(),
  /** An equation of something with one of these names, and of something that is no constant. */
  compare: expression.optional(),
  /** A loop without end whose body matches. */
  endlessLoop: expression.optional(),
  /** What a function gives back, as it is written. */
  returned: expression.optional(),
  /** The name of a function or method that is declared; `notHandler` is asked of it and of what it calls. */
  declared: expression.optional(),
  /** A decorator or an annotation of the function around it. */
  marked: expression.optional(),
  /** Where it is found: at the call, or at what was given to it. */
  at: z.enum(['call', 'value']).default('call'),
  with: z.array(conditionSchema).default([]),
  without: z.array(conditionSchema).default([]),
  /** A name around it: of a variable, function or class. */
  within: expression.optional(),
  notWithin: expression.optional(),
  /** The call that it is an argument of. */
  inside: expression.optional(),
  notInside: expression.optional(),
  /** The code of the function around it, or of the file; all must match. */
  code: z.array(expression).default([]),
  notCode: z.array(expression).default([]),
  /** The code of the function that a call or a decorator registers; of the file, where that is not known. */
  notHandler: z.array(expression).default([]),
  /** The code of the whole file; all must match. */
  file: z.array(expression).default([]),
  notFile: z.array(expression).default([]),
  /** Code that some file of the project has. */
  project: z.array(expression).default([]),
  /** Only where the project asks no request from where it comes or who sent it. */
  unguarded: z.literal(true).optional(),
  languages: z.array(languageSchema).optional(),
});
export type PatternMatch = z.infer<typeof matchSchema>;

const patternSchema = z.strictObject({
  ...common,
  /** `behaviour`: what a server does that it does not exist for; `limit`: what cannot be followed, which is no finding. */
  kind: z.enum(['pattern', 'behaviour', 'limit']),
  confidence: z.enum(['high', 'medium', 'low']).default('medium'),
  /** What is said of: each place, or the server, however many places show it. */
  per: z.enum(['place', 'server']).default('place'),
  /** Nobody does it on purpose, however bad it is: in a library it is the library's. */
  oversight: z.boolean().optional(),
  any: z.array(matchSchema).min(1),
  /** The same weakness where a value goes another way to its place: through parameters, fields, other files. */
  flows: z
    .strictObject({ source: z.literal('token'), message: z.string(), sinks: z.array(sinkSchema).min(1) })
    .optional(),
});
export type PatternRule = z.infer<typeof patternSchema>;

/** Found by code of its own, which asks for the rule by its id. */
const detectorSchema = z.strictObject({
  ...common,
  /** `project`: told by how parts of a project belong together. */
  kind: z.enum(['secret', 'description', 'install', 'project']),
  confidence: z.enum(['high', 'medium', 'low']).default('medium'),
});
export type DetectorRule = z.infer<typeof detectorSchema>;

export const ruleSchema = z.discriminatedUnion('kind', [taintSchema, patternSchema, detectorSchema]);
export type SourceRule = z.infer<typeof ruleSchema>;

export const isPatternRule = (rule: SourceRule): rule is PatternRule =>
  rule.kind === 'pattern' || rule.kind === 'behaviour' || rule.kind === 'limit';

export const isDetectorRule = (rule: SourceRule): rule is DetectorRule =>
  ['secret', 'description', 'install', 'project'].includes(rule.kind);
