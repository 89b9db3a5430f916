/** Functions of Go's library, and of those that servers of Go are made with. */
import { added, isText } from './additions.ts';
import { factsOf } from './checks.ts';
import { elementOf } from './elements.ts';
import { filled } from './formats.ts';
import { type Given, stepped } from './frame.ts';
import { standardInput } from './lines-of-clients.ts';
import { type Call, type Model, sameThing, valueAt } from './model.ts';
import { local } from './tests.ts';
import { joinTaints } from './taints.ts';
import { textOf } from './texts.ts';
import { allTaints, clean, cleared, join, type Value } from './value.ts';

const isGo = ({ frame }: Call): boolean => frame.module.grammar === 'go';

/** Puts what was read into where a pointer leads. */
function fill(
  to: readonly Given[],
  from: readonly Value[],
  { machine, frame, expression }: Call,
): Value | undefined {
  const taints = stepped(joinTaints(from.map(allTaints)), frame, expression);
  if (taints.length === 0) return undefined;
  for (const { value, expression: place } of to) machine.assign(place, { ...value, taints }, frame);
  return clean;
}

/** `json.Unmarshal(data, &value)`: what is read is put into the last argument. */
const filledIn: Model = (call) => {
  const { called, args } = call;
  if (!isGo(call)) return undefined;
  return fill(args.slice(-1), [called.object ?? clean, ...args.slice(0, -1).map(({ value }) => value)], call);
};

/** `decoder.Decode(&value, form)`, `c.ShouldBindWith(&value, binding.Form)`: into the first one. */
const filledFirst: Model = (call) => {
  const { called, args } = call;
  if (!isGo(call)) return undefined;
  return fill(args.slice(0, 1), [called.object ?? clean, ...args.slice(1).map(({ value }) => value)], call);
};

/** `fmt.Sscanf(text, "%s %d", &name, &count)` */
const scanned: Model = (call) =>
  isGo(call)
    ? fill(call.args.slice(call.called.method === 'Sscan' ? 1 : 2), [valueAt(call, 0)], call)
    : undefined;

/** `fmt.Fprintf(&text, "…", a)`, where `text` is read as a whole afterwards. */
const writtenTo: Model = (call) => {
  const { called, args, machine, frame } = call;
  const [to, ...more] = args;
  if (!isGo(call) || to === undefined || !isText(to.value)) return undefined;
  const values = more.map(({ value }) => value);
  const [format, ...rest] = values;
  const text =
    called.method === 'Fprintf' && format !== undefined ? filled(format, rest, machine) : undefined;
  const { ref } = to.value;
  const whole = textOf([to.value, ...(text === undefined ? values : [text])], machine);
  machine.assign(to.expression, { ...whole, ...(ref === undefined ? {} : { ref }) }, frame);
  return clean;
};

/** `fmt.Sprint(a, b)` */
const joinedTexts: Model = (call) =>
  isGo(call)
    ? textOf(
        call.args.map(({ value }) => value),
        call.machine,
      )
    : undefined;

/** `new(strings.Builder)`: an empty one of the type. */
const made: Model = (call) => {
  const [type] = call.args;
  if (!isGo(call) || type === undefined) return undefined;
  const { module, scope } = call.frame;
  return call.machine.instanceByType(module.text.slice(type.expression.at, type.expression.end), {
    module,
    scope,
  });
};

/** `list[1:]` and the like keep what they are made of. */
const first: Model = (call) => (isGo(call) ? valueAt(call, 0) : undefined);

/** `path.Base(x)`: without separators it leads to nothing else. */
const lastPart: Model = (call) => {
  const value = isGo(call) ? sameThing(call) : undefined;
  return value && cleared(value, call.machine.rules.bitOf('path-traversal'));
};

/** `url.JoinPath("https://host", part)`: the first one alone says where. */
const joinedAddress: Model = (call) => {
  if (!isGo(call)) return undefined;
  const { called, args, machine } = call;
  const bits = machine.rules.bitOf('server-side-request-forgery') | machine.rules.bitOf('open-redirect');
  const values = args.map(({ value }) => value);
  const [base = clean, ...parts] =
    called.object === undefined || called.name === 'url.JoinPath' ? values : [called.object, ...values];
  const behind = parts.map((part) => cleared({ taints: allTaints(part) }, bits).taints);
  return { taints: joinTaints([allTaints(base), ...behind]), ref: `${called.name}()` };
};

/** `slices.Concat(a, b)`, `strings.Join(parts, " ")`: made of the elements. */
const ofElements: Model = (call) => {
  if (!isGo(call)) return undefined;
  const [list, separator = clean] = call.args.map(({ value }) => value);
  if (list === undefined) return undefined;
  const { fields } = list;
  if (fields === undefined || fields.has('*') || list.taints.length > 0) return undefined;
  const parts = [...fields.values()].flatMap((value, at) => (at === 0 ? [value] : [separator, value]));
  return textOf(parts, call.machine);
};

/** `wg.Go(func)`, `once.Do(func)`, `group.Go(func)`: it is run. */
const ran: Model = ({ args, machine, frame, expression }) => {
  const fn = args.at(-1)?.value.fn;
  return frame.module.grammar === 'go' && fn !== undefined && fn.fn.parameters.length === 0
    ? machine.call(fn, [], frame, expression).value
    : undefined;
};

/** `sync.Map`: `table.Store(key, value)` and `table.Load(key)`. */
const loaded: Model = ({ called: { object } }) =>
  object?.fields === undefined ? undefined : elementOf(object);

/** `cmp.Or(a, b)`: one of them. */
const either: Model = (call) =>
  isGo(call) ? call.args.reduce((all, { value }) => join(all, value), clean) : undefined;

const nothingLeft: Model = (call) => (isGo(call) ? clean : undefined);

const asksForZone = /\.(?:Zone|WithZone|Is4|Unmap)\(/;

/** An address of numbers: it may lie inside, and has nothing else in it; behind `%` the name of a zone may be anything. */
const numbers: Model = (call) => {
  const value = isGo(call) ? sameThing(call) : undefined;
  if (value === undefined) return undefined;
  const { fn, module } = call.frame;
  const isWhole =
    call.called.name.startsWith('net.') ||
    (fn !== undefined && asksForZone.test(module.text.slice(fn.at, fn.end)));
  return isWhole ? cleared(value, ~call.machine.rules.bitOf('server-side-request-forgery')) : value;
};

/** `strings.ContainsAny(name, "/")`: without a separator a name leads to nothing else. */
const containsAny: Model = ({ args: [text, letters], machine }) => {
  const { constant } = letters?.value ?? clean;
  const isOfPaths =
    constant === '/'.codePointAt(0) || (typeof constant === 'string' && constant.includes('/'));
  if (text === undefined || !isOfPaths) return clean;
  return {
    taints: [],
    check: { yes: [], no: factsOf(text.value, machine.rules.bitOf('path-traversal'), machine) },
  };
};

/** `sqlx.In("… IN (?)", ids)`: values are put in by the driver. */
const boundValues: Model = (call) =>
  isGo(call) ? { ...valueAt(call, 0), ref: `${call.called.name}()` } : undefined;

const isBuilder = /^\??(?:squirrel|sq|psql|goqu|sqlbuilder|builder|StatementBuilder)\b/;
const setsValues = /^(?:Set|SetMap|Values|Limit|Offset)$/;

/** `.Where("a = ?", value)` and `.Where(sq.Eq{"a": value})` of a builder: the text alone becomes part of the statement. */
const ofBuilder: Model = (call) => {
  const { called, machine } = call;
  const ref = called.object?.ref;
  if (!isGo(call) || ref === undefined || !isBuilder.test(ref)) return undefined;
  const text = setsValues.test(called.method) ? clean : { taints: valueAt(call, 0).taints };
  return { ...textOf([called.object ?? clean, text], machine), ref: `${called.name}()` };
};

/** By the names of what is called, as in the library of all languages. */
export const goLibrary: readonly (readonly [names: string, model: Model])[] = [
  [
    'json.Unmarshal json5.Unmarshal jsoniter.Unmarshal sonic.Unmarshal yaml.Unmarshal yaml.UnmarshalStrict toml.Unmarshal toml.Decode xml.Unmarshal bson.Unmarshal bson.UnmarshalExtJSON bson.UnmarshalJSON msgpack.Unmarshal cbor.Unmarshal proto.Unmarshal protojson.Unmarshal mapstructure.Decode mapstructure.WeakDecode hujson.Unmarshal structpb.Unmarshal render.Bind render.Decode render.DecodeJSON render.DecodeForm render.DecodeXML web.Decode httpx.Parse **.BindArguments **.ShouldBindJSON **.ShouldBindQuery **.ShouldBindUri **.ShouldBindHeader **.ShouldBindXML **.ShouldBindYAML **.ShouldBind **.BindJSON **.BindQuery **.BindUri **.BindXML **.Bind **.BindBody **.BindPathParams **.BindQueryParams **.Decode **.BodyParser **.QueryParser **.ParamsParser **.ReqHeaderParser **.CookieParser **.Unmarshal **.UnmarshalJSON **.ReadJSON **.DecodeJSON',
    filledIn,
  ],
  [
    '**.ShouldBindWith **.ShouldBindBodyWith **.MustBindWith schema.NewDecoder().Decode copier.Copy',
    filledFirst,
  ],
  ['fmt.Sscanf fmt.Sscan fmt.Sscanln', scanned],
  ['fmt.Fprintf fmt.Fprint fmt.Fprintln io.WriteString', writtenTo],
  ['fmt.Sprint fmt.Sprintln', joinedTexts],
  ['new', made],
  [
    'http.HandlerFunc server.ToolHandlerFunc mcp.ToolHandler mcp.ToolHandlerFor server.ResourceHandlerFunc server.PromptHandlerFunc ptr.To pointer.String aws.String lo.ToPtr html.UnescapeString strings.ToValidUTF8 strings.Clone template.HTML bytes.NewReader strings.NewReader io.NopCloser io.LimitReader http.MaxBytesReader_',
    first,
  ],
  ['bufio.NewReader bufio.NewScanner', (call) => standardInput(call) ?? first(call)],
  ['filepath.Base path.Base', lastPart],
  ['url.JoinPath **.JoinPath', joinedAddress],
  ['strings.Join', ofElements],
  ['**.Go **.Do **.DoChan', ran],
  [
    'mcp.ParseInt mcp.ParseInt8 mcp.ParseInt16 mcp.ParseInt32 mcp.ParseInt64 mcp.ParseUInt mcp.ParseUInt64 mcp.ParseFloat32 mcp.ParseFloat64 mcp.ParseBoolean strconv.Itoa strconv.FormatInt strconv.FormatUint strconv.FormatBool strconv.FormatFloat uuid.Parse uuid.MustParse uuid.FromString ulid.Parse primitive.ObjectIDFromHex bson.ObjectIDFromHex net.ParseMAC utf8.RuneCountInString cast.ToInt cast.ToBool cast.ToInt64',
    nothingLeft,
  ],
  [
    'net.ParseIP net.ParseCIDR netip.ParseAddr netip.ParseAddrPort netip.ParsePrefix netip.MustParseAddr',
    numbers,
  ],
  ['strings.ContainsAny strings.ContainsRune', containsAny],
  ['fs.ValidPath', local],
  ['sqlx.In sqlx.Named', boundValues],
  ['**.Where **.Having **.Set **.SetMap **.Values **.Limit **.Offset', ofBuilder],
  ['**.Load', loaded],
  ['**.Store', added],
  ['cmp.Or lo.Ternary', either],
];
