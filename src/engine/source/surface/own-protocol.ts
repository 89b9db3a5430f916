/** Servers that speak with their clients by themselves, without a library of the protocol or of routes. */
import { libraryAt } from '../library/library-parts.ts';
import type { SourceModule } from '../modules.ts';
import type { FunctionValue } from '../taint/value.ts';

/** A server that listens at a file of this machine, as a daemon and its command do: nobody else gets there. */
const listensAtFile = /\.listen\(\s*(?:\{\s*path\s*:|[\w.]*(?:socket|pipe|sock)_?(?:path|file|name)?\b)/i;

export const isForItself = (name: string, { module }: FunctionValue): boolean =>
  name === 'net.createServer' && listensAtFile.test(module.text);

/** `method === 'tools/call'`: a server that reads the protocol itself. */
const answersCalls =
  /(?:[=!]==?\s*|\bcase\s+|\.(?:equals|eq)\(\s*)["']tools\/call["']|["']tools\/call["']\s*\)?\s*(?:[=!]==?|=>|\bif\b[^\n]{1,200}=>|\|\s*(?:Some\()?["'])/;

/** The same by a name that a project gives the method: `case MethodToolsCall:`, `Method::CallTool =>`. */
const answersByName =
  /(?:\bcase\s+|[=!]==?\s*)(?:\w+\.)*(?:k?method_?)?(?:tools_?call|call_?tool)(?:_?(?:method|request))?(?:\.(?:value|method))?\s*(?::|->|\)|\{)|\b(?:\w+::)+(?:ToolsCall|CallTool)\b[^=;]{0,80}=>|\b(?:METHOD_)?(?:TOOLS_CALL|CALL_TOOL)(?:_METHOD)?\s*=>/i;

/** Whether code tells calls of tools from other requests. */
export const isAnsweringCalls = (text: string): boolean =>
  answersCalls.test(text) || (/tools?\/?_?call|call_?tool/i.test(text) && answersByName.test(text));

/** `#[serde(rename = "tools/call")] CallTool { name, arguments }`: the variant of a message that calls a tool. */
const calledVariant = /rename\s*=\s*"tools\/call"[^\]]*\]\s*(?:#\[[^\]]*\]\s*)*([A-Z]\w*)/;
const variants = new WeakMap<SourceModule, RegExp | undefined>();

function variantOf(module: SourceModule): RegExp | undefined {
  if (!variants.has(module)) {
    const name = module.grammar === 'rust' ? calledVariant.exec(module.text)?.[1] : undefined;
    variants.set(module, name === undefined ? undefined : new RegExp(`::${name}\\b`));
  }
  return variants.get(module);
}

/** Whether a function of a module tells calls of tools from other requests. */
const answersIn = (module: SourceModule, text: string): boolean =>
  isAnsweringCalls(text) || variantOf(module)?.test(text) === true;

/** Whole programs in one function are followed as they are. */
const longestDispatcher = 60_000;

/** Whether a function tells calls of tools from other requests, where it is not the protocol's library that does. */
export const isDispatcher = ({ fn, module }: FunctionValue): boolean =>
  fn.parameters.length > 0 &&
  fn.end - fn.at < longestDispatcher &&
  fn.name !== 'setRequestHandler' &&
  answersIn(module, module.text.slice(fn.at, fn.end)) &&
  libraryAt(module, fn.at) === undefined;

/** Requests that a handler of the low-level server answers, by the name of their schema or of their method. */
export const requests: readonly (readonly [RegExp, 'resource' | 'prompt'])[] = [
  [/ReadResource|resources\/read/, 'resource'],
  [/GetPrompt|prompts\/get/, 'prompt'],
];
