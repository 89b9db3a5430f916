import { concatenated, listed, newCommand, withArguments, words } from './commands.ts';
import { definition, description } from './go-definitions.ts';
import { goLibrary } from './go-library.ts';
import { formattedBy, sprintf } from './formats.ts';
import { added, addedText, appended, emptyMade, taken, textBuilderMade } from './additions.ts';
import { collectionModels } from './collections.ts';
import { type Call, type Model, sameThing, valueAt } from './model.ts';
import type { Expression } from '../form/form.ts';
import { isTextBit, noParentBit } from './shown.ts';
import type { Called, Frame, Given, Machine } from './frame.ts';
import { plainName, reopened } from './frame.ts';
import { joinedPath, joinedText } from './joined.ts';
import { applyOfFunction, bound, callOfFunction, madeByContainer, ran } from './functions-as-objects.ts';
import { checkingLibraries } from './checking-libraries.ts';
import { compiled, matcher, replaced, tested } from './patterns.ts';
import {
  absolute,
  any,
  asserted,
  contained,
  emptied,
  endedWith,
  inside,
  local,
  numeric,
  prefixed,
  within,
} from './tests.ts';
import { longerList } from './lists-of-words.ts';
import { schemaModels } from './schemas.ts';
import { folderOf, normalisedPath } from './paths.ts';
import { addressOfParts, assembledAddress, behindHost } from './addresses.ts';
import { converted, isConverting } from './rust-values.ts';
import { typedLanguages } from './typed-languages.ts';
import { subsetCheck } from './characters.ts';
import { promiseMade } from './promises.ts';
import { pythonLibrary } from './python-library.ts';
import { required } from './required-modules.ts';
import { nothingBelow } from './targets.ts';
import { joinTaints } from './taints.ts';
import { clean, cleared, type Value } from './value.ts';

/** Numbers, lengths, booleans: nothing of the text is left. */
const nothingLeft: Model = () => clean;

const firstArgument: Model = (call) => valueAt(call, 0);

const object: Model = ({ called }) => called.object;

/** `Order.valueOf(text)` is one of the values that the author named; `String.valueOf(text)` is the text. */
const named: Model = (call) =>
  /(?:^|[.?])String\.valueOf$/.test(call.called.name) ? sameThing(call) : clean;

const groups: readonly (readonly [names: string, model: Model])[] = [
  [
    'parseInt parseFloat Number Integer.parseInt Long.parseLong UUID.fromString uuid.UUID **.is_alphanumeric **.len Date Date.parse datetime.datetime.fromisoformat datetime.datetime.strptime datetime.date.fromisoformat dateutil.parser.parse LocalDate.parse LocalDateTime.parse Instant.parse Duration.parse time.Parse time.ParseDuration Number.parseInt Number.parseFloat int float bool len abs round Boolean BigInt hash id isNaN Buffer.byteLength Math.min Math.max hashlib.** Date.now strconv.Atoi strconv.ParseInt',
    nothingLeft,
  ],
  [
    'typeof',
    ({ args }) => ({
      taints: [],
      ref: 'typeof()',
      ...(args[0]?.value.of === undefined ? {} : { of: args[0].value.of }),
      ...(args[0] === undefined ? {} : { taints: args[0].value.taints }),
    }),
  ],
  [
    'path.join path.resolve path.normalize path.posix.join path.posix.resolve path.win32.join os.path.normpath os.path.abspath os.path.realpath fs.realpath fs.realpathSync fs.promises.realpath **.absolute **.realpath **.normalize **.canonicalize **.getCanonicalFile **.getCanonicalPath **.toRealPath std.fs.canonicalize tokio.fs.canonicalize filepath.Join filepath.Clean filepath.Abs filepath.EvalSymlinks path.Clean path.Join path_clean.clean dunce.canonicalize soft_canonicalize.soft_canonicalize **.lexiclean **.absolutize **.absolutize_from **.normpath',
    normalisedPath,
  ],
  // What stands behind the last dot has no separator in it.
  [
    'path.extname path.posix.extname path.win32.extname filepath.Ext',
    (call) => {
      const value = sameThing(call);
      return value && cleared(value, call.machine.rules.bitOf('path-traversal'));
    },
  ],
  ['path.dirname path.posix.dirname os.path.dirname filepath.Dir', folderOf],
  [
    'os.path.join posixpath.join',
    (call) => ({
      ...(joinedText(call) ?? clean),
      // `os.path.join(base, '')` puts a separator behind it.
      ...(call.args.at(-1)?.value.constant === '' ? { endsInSeparator: true } : {}),
    }),
  ],
  [
    'pathlib.Path pathlib.PurePath **.joinpath',
    (call) => ({
      ...(joinedText(call) ?? clean),
      ref: 'pathlib.Path()',
      ...(call.args.length === 1 && call.args[0]?.value.of !== undefined
        ? { of: call.args[0].value.of }
        : {}),
    }),
  ],
  ['os.path.relpath', sameThing],
  ['path.relative filepath.Rel', (call) => sameThing({ ...call, args: call.args.toReversed() })],
  [
    'os.path.commonpath os.path.commonprefix',
    ({ args, called }) => {
      const parts = [...(args[0]?.value.fields?.values() ?? [])];
      return {
        taints: joinTaints(parts.map((part) => part.taints)),
        of: parts.flatMap((part) => part.of ?? []),
        ref: `${called.name}()`,
      };
    },
  ],
  [
    'URL httpx.URL yarl.URL furl.furl urllib3.util.parse_url urllib.parse.urlparse urllib.parse.urlsplit url.parse os.path.expanduser os.fspath **.expanduser **.decode **.as_posix',
    sameThing,
  ],
  [
    'String str **.toString **.trim **.strip **.toLowerCase **.toUpperCase **.lower **.upper **.trimEnd **.rstrip',
    (call) => cleared(sameThing(call) ?? clean, isTextBit),
  ],
  [
    'shlex.split **.split **.partition **.splitn **.split_once strings.Fields strings.Split strings.SplitN strings.Cut',
    words,
  ],
  ['**.replace **.replaceAll **.ReplaceAllString strings.ReplaceAll re.sub', replaced],
  ['**.sub', (call) => (call.called.object?.pattern === undefined ? undefined : replaced(call))],
  ['fmt.Sprintf String.format', sprintf],
  ['**.formatted', formattedBy],
  ['**.Command.new Command.new std.process.Command.new tokio.process.Command.new', newCommand],
  ['**.arg **.args', withArguments],
  ['Set.of List.of Arrays.asList Stream.of Collections.singletonList HashSet.from', listed],
  ['Stream.concat', concatenated],
  ['**.matcher', matcher],
  ...schemaModels,
  [
    '**.map_err **.unwrap **.unwrap_or_default **.expect **.ok **.as_str **.as_ref **.as_path **.as_deref **.clone **.to_owned **.into **.borrow **.iter **.into_iter **.to_path_buf **.to_string_lossy **.into_owned **.cloned **.to_vec **.to_string **.toFile **.toPath **.getPath **.toAbsolutePath **.getAbsoluteFile **.getAbsolutePath **.orElse **.get_object **.stream **.toList **.String',
    object,
  ],
  [
    'std.path.Path.new Path.new std.path.PathBuf.from PathBuf.from String.from Some std.borrow.Cow.from std.borrow.Cow.Borrowed std.borrow.Cow.Owned Cow.from Cow.Borrowed Cow.Owned url.Parse url.ParseRequestURI reqwest.Url.parse Url.parse SimpleStatement.newInstance Mono.just Flux.just Flux.fromIterable Optional.of Optional.ofNullable CompletableFuture.completedFuture Objects.requireNonNull Objects.requireNonNullElse',
    firstArgument,
  ],
  ['File Paths.get Path.of java.io.File', joinedPath],
  [
    'dns.lookup dns.promises.lookup dns.resolve dns.resolve4 dns.promises.resolve dns.promises.resolve4 socket.gethostbyname socket.getaddrinfo ipaddr.js.parse ipaddr.js.default.parse ipaddr.js.process **.range net.LookupIP net.ParseIP URI.create InetAddress.getByName **.Hostname **.getHost **.host_str **.hostname',
    sameThing,
  ],
  // What was shown of a text says nothing of what it reads once decoded.
  [
    'urllib.parse.unquote urllib.parse.unquote_plus decodeURIComponent decodeURI url.PathUnescape url.QueryUnescape URLDecoder.decode',
    (call) => {
      const value = sameThing(call);
      return value === undefined ? undefined : { ...value, taints: reopened(value.taints, noParentBit) };
    },
  ],
  ['**.concat', (call) => longerList(call) ?? joinedText(call)],
  ['**.format **.encode **.padStart', joinedText],
  // Where it is cut says nothing of what it is.
  ['**.slice **.substring', (call) => joinedText({ ...call, args: [] })],
  [
    '**.push **.append **.add **.extend **.addAll **.insert **.unshift **.appendleft **.set **.put **.put_nowait **.offer **.enqueue **.push_back **.<-',
    added,
  ],
  ['append', appended],
  ['make', emptyMade],
  ['**.shift **.pop **.popleft **.get_nowait **.poll **.dequeue **.pop_front **.<-get **.at', taken],
  ['**.push_str **.WriteString **.write_str **.write', addedText],
  ['StringBuilder StringBuffer io.StringIO StringIO bytes.NewBuffer bytes.NewBufferString', textBuilderMade],
  ['**.bind', bound],
  ['**.resolve', (call) => madeByContainer(call) ?? normalisedPath(call)],
  ['**.call', callOfFunction],
  ['**.apply', applyOfFunction],
  ['**.getInstance **.injectClass', madeByContainer],
  ['**.catch **.finally', object],
  ['contextlib.closing contextlib.aclosing contextlib.nullcontext string', firstArgument],
  [
    'Yaml org.yaml.snakeyaml.Yaml',
    ({ args, called }) => ({
      taints: [],
      // What makes plain values alone is another thing than what makes any object.
      ref: /(?:^|\.)SafeConstructor\(\)$/.test(args[0]?.value.ref ?? '') ? 'SafeYaml()' : `${called.name}()`,
    }),
  ],
  ['Promise', promiseMade],
  // What fails gives nothing: what the other ways out give is what it comes to.
  ['Promise.reject', nothingLeft],
  [
    'CompletableFuture.supplyAsync CompletableFuture.runAsync Mono.fromCallable Mono.fromSupplier Mono.fromRunnable Mono.defer Flux.defer Optional.orElseGet asyncio.to_thread anyio.to_thread.run_sync setTimeout setImmediate process.nextTick queueMicrotask',
    ran(0),
  ],
  ['**.run_in_executor', ran(1)],
  ['**.submit', ran(0)],
  [
    'util.promisify promisify functools.wraps asyncio.run asyncio.wait_for asyncio.create_task Promise.resolve Promise.all Promise.allSettled Promise.race asyncio.gather Object.freeze structuredClone copy.copy copy.deepcopy',
    firstArgument,
  ],
  [
    '**.hexdigest **.digest **.HexDigest secrets.token_hex secrets.token_urlsafe crypto.randomUUID uuid.uuid4 uuid.uuid5 hex.EncodeToString_ sha256.Sum256 sha1.Sum md5.Sum sha512.Sum512',
    nothingLeft,
  ],
  [
    '**.test **.match **.fullmatch **.exec **.matches **.is_match **.MatchString re.match re.fullmatch',
    tested,
  ],
  ['RegExp re.compile regexp.MustCompile Pattern.compile regex.Regex.new Regex.new', compiled],
  [
    '**.includes **.has **.contains **.indexOf **.__contains__ strings.Contains slices.Contains lo.Contains',
    contained,
  ],
  [
    'path.isAbsolute path.posix.isAbsolute os.path.isabs filepath.IsAbs **.is_absolute **.isAbsolute',
    absolute,
  ],
  ['**.endsWith **.endswith **.ends_with', endedWith],
  ['**.startsWith **.startswith **.starts_with strings.HasPrefix', prefixed],
  ['**.is_relative_to **.relative_to', within],
  ['**.exists os.path.exists os.path.isfile os.path.isdir **.is_file **.is_dir', nothingLeft],
  [
    'Number.isInteger Number.isFinite Number.isSafeInteger **.isdigit **.isalnum **.isidentifier **.isnumeric isinstance',
    numeric,
  ],
  ['**.length **.size **.len **.count', nothingLeft],
  ['**.isEmpty **.isBlank **.is_empty', emptied],
  // `any(x)` of Go is x as a value of any type.
  ['any all', (call) => (call.frame.module.grammar === 'go' ? valueAt(call, 0) : any(call))],
  ['**.chars **.bytes **.codePoints **.components', sameThing],
  // A stream that another is led into is the one that is read from.
  ['**.pipe', ({ args }) => (args[0]?.value.ref?.endsWith(')') === true ? args[0].value : undefined)],
  [
    '**.issubset',
    ({ called, args, machine }) => {
      const check = subsetCheck(
        called.objectExpression,
        called.object ?? clean,
        args[0]?.value ?? clean,
        machine,
      );
      return check === undefined ? undefined : { taints: [], check };
    },
  ],
  ['filepath.IsLocal', local],
  ['private-ip private-ip.default is-private-ip is-ip-private ip.isPrivate ip.default.isPrivate', inside],
  ['**.valueOf', named],
  [
    'Object.create',
    ({ args }) =>
      args[0]?.expression.is === 'literal' && args[0].expression.value === null
        ? { taints: [], fields: new Map(), ref: nothingBelow }
        : undefined,
  ],
  ...checkingLibraries,
  ['Err', () => ({ taints: [], ref: 'Err()' })],
  [
    'assert console.assert_ assert.ok assert.default assert.strict invariant tiny-invariant ensure anyhow.ensure Preconditions.checkArgument Assert.isTrue Validate.isTrue',
    asserted,
  ],
  ['url.URL', assembledAddress],
  ['URI java.net.URI URL java.net.URL', addressOfParts],
  [
    '**.queryParam **.queryParams **.queryParamIfPresent **.pathSegment **.path **.fragment **.buildAndExpand **.expand **.addQueryParameter **.addEncodedQueryParameter **.setQueryParameter **.addPathSegment **.addPathSegments **.addParameter **.setParameter',
    behindHost,
  ],
  ['mcp.NewTool mcp.NewPrompt mcp.NewResource mcp.NewResourceTemplate', definition],
  ['mcp.WithDescription mcp.WithPromptDescription mcp.WithResourceDescription', description],
  [
    'Object.keys **.keys',
    ({ called, args }) => {
      const { taints = [], ref } = args[0]?.value ?? called.object ?? {};
      return { taints, ...(ref === undefined ? {} : { ref: `${ref}.keys()` }) };
    },
  ],
  ...collectionModels,
  ...typedLanguages,
  ...goLibrary,
  ['require import importlib.import_module process.getBuiltinModule', required],
  ['module.createRequire createRequire', () => ({ taints: [], ref: 'require' })],
];

const models = new Map<string, Model>();
const methods = new Map<string, Model>();
for (const [names, model] of groups)
  for (const name of names.split(' '))
    if (name.startsWith('**.')) methods.set(name.slice(3), model);
    else models.set(name, model);
for (const [names, model] of pythonLibrary)
  for (const name of names.split(' ')) {
    const [known, key] = name.startsWith('**.') ? [methods, name.slice(3)] : [models, name];
    const other = known.get(key);
    known.set(key, other === undefined ? model : (call) => model(call) ?? other(call));
  }

/** Whether objects of libraries have a method of this name. */
export const hasMethodModel = (name: string): boolean => methods.has(name);

/** What a function of a language's library, or one like it, gives; undefined where nothing is known. */
export function libraryCall(
  expression: Expression,
  called: Called,
  args: readonly Given[],
  machine: Machine,
  frame: Frame,
): Value | undefined {
  const exact = models.get(plainName(called));
  const ofMethod = called.object === undefined ? undefined : methods.get(called.method);
  const call: Call = { expression, called, args, machine, frame };
  if (isConverting(args)) return converted(call) ?? ofMethod?.(call);
  if (exact === undefined && ofMethod === undefined) return undefined;
  return exact?.(call) ?? ofMethod?.(call);
}
