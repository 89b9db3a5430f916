/** Manifests of MPEG-DASH (ISO/IEC 23009-1): templates and lists of segments, live and recorded. */
import { AppError } from '#base/errors.ts';
import type { Clock } from '#base/clock.ts';
import type { Outbound } from '#base/net/outbound.ts';
import { fetchBytes } from './fetch-bytes.ts';
import { reloadAfter, type FilePart, type LoadSegments, type Segment, type SegmentList } from './segment.ts';
import { childrenOf, readXml, type XmlElement } from './xml.ts';

const mostManifestBytes = 4 * 1024 * 1024;
const mostSegments = 20_000;
const wantedHeight = 360;
/** Of a live stream without a list, so many of the newest are named. */
const newestSegments = 5;

const wrong = (what: string) => new AppError(422, 'decode_failed', `The manifest ${what}.`);

/** `PT1H2M3.5S` in seconds; undefined where it is none. */
export function durationOf(text: string | undefined): number | undefined {
  const found = /^P(?:(\d+)D)?T?(?:(\d+)H)?(?:(\d+)M)?(?:([\d.]+)S)?$/.exec(text ?? '');
  if (found === null) return undefined;
  const [days, hours, minutes, seconds] = found.slice(1).map((each) => Number(each ?? 0));
  return (days ?? 0) * 86_400 + (hours ?? 0) * 3600 + (minutes ?? 0) * 60 + (seconds ?? 0);
}

const isVideo = (element: XmlElement | undefined): boolean =>
  (element?.attributes.get('mimeType') ?? '').startsWith('video') ||
  element?.attributes.get('contentType') === 'video';

const numberOf = (element: XmlElement | undefined, name: string): number | undefined => {
  const text = element?.attributes.get(name);
  const value = Number(text);
  return text === undefined || !Number.isFinite(value) || value < 0 ? undefined : value;
};

/** One way to the pictures, with all elements that it inherits from. */
interface Chosen {
  readonly period: XmlElement;
  readonly set: XmlElement;
  readonly representation: XmlElement;
}

function choose(manifest: XmlElement): Chosen {
  const period = childrenOf(manifest, 'Period').at(-1);
  const all = childrenOf(period, 'AdaptationSet').flatMap((set) =>
    childrenOf(set, 'Representation')
      .filter((each) => isVideo(set) || isVideo(each))
      .map((representation) => ({ set, representation })),
  );
  const bandwidth = ({ representation }: (typeof all)[number]) => numberOf(representation, 'bandwidth') ?? 0;
  const height = ({ set, representation }: (typeof all)[number]) =>
    numberOf(representation, 'height') ?? numberOf(set, 'maxHeight') ?? 0;
  const enough = all.filter((each) => height(each) >= wantedHeight);
  const [found] =
    enough.length > 0
      ? enough.toSorted((a, b) => bandwidth(a) - bandwidth(b))
      : all.toSorted((a, b) => bandwidth(b) - bandwidth(a));
  if (period === undefined || found === undefined) throw wrong('has no pictures');
  if (childrenOf(found.set, 'ContentProtection').length > 0) throw wrong('is encrypted');
  return { period, ...found };
}

function resolved(url: string, base: string): string {
  if (!URL.canParse(url, base)) throw wrong('names an address that cannot be read');
  const { href, protocol } = new URL(url, base);
  if (protocol !== 'http:' && protocol !== 'https:') throw wrong(`names an address with ${protocol}`);
  return href;
}

/** Attributes of a template are inherited one by one. */
function inherited(chosen: Chosen, name: string): XmlElement | undefined {
  const found = [chosen.period, chosen.set, chosen.representation].flatMap((each) => childrenOf(each, name));
  if (found.length === 0) return undefined;
  return {
    name,
    attributes: new Map(found.flatMap(({ attributes }) => [...attributes])),
    children: found.findLast(({ children }) => children.length > 0)?.children ?? [],
    text: '',
  };
}

/** `seg-$Number%05d$.m4s` → `seg-00042.m4s`. */
function filled(template: string, values: Readonly<Record<string, string | number>>): string {
  return template.replaceAll(
    /\$(\w*)(?:%0(\d{1,2})d)?\$/g,
    (whole, name: string, width: string | undefined) => {
      if (name === '') return '$';
      const value = values[name];
      return value === undefined ? whole : String(value).padStart(Number(width ?? 0), '0');
    },
  );
}

interface Timed {
  readonly number: number;
  readonly time: number;
  readonly duration: number;
}

/** The segments of a timeline. */
function timelineOf(timeline: XmlElement, startNumber: number): Timed[] {
  const found: Timed[] = [];
  let time = 0;
  for (const entry of childrenOf(timeline, 'S')) {
    time = numberOf(entry, 't') ?? time;
    const duration = numberOf(entry, 'd') ?? 0;
    const repeated = Number(entry.attributes.get('r') ?? 0);
    if (duration <= 0) throw wrong('has a segment without a duration');
    const count = Math.max(1, repeated + 1);
    if (!Number.isSafeInteger(count) || found.length + count > mostSegments)
      throw wrong(`has more than ${mostSegments} segments`);
    for (let i = 0; i < count; i += 1, time += duration)
      found.push({ number: startNumber + found.length, time, duration });
  }
  return found;
}

export interface ManifestTime {
  readonly nowMs: number;
}

/** Reads a manifest. @throws AppError 422 */
export function readManifest(text: string, manifestUrl: string, { nowMs }: ManifestTime): SegmentList {
  const manifest = readXml(text);
  if (manifest.name !== 'MPD') throw wrong('is no MPD');
  const chosen = choose(manifest);
  const base = [manifest, chosen.period, chosen.set, chosen.representation].reduce(
    (so, element) => resolved(childrenOf(element, 'BaseURL')[0]?.text.trim() ?? '', so),
    manifestUrl,
  );
  const isLive = manifest.attributes.get('type') === 'dynamic';
  const template = inherited(chosen, 'SegmentTemplate');
  const list = inherited(chosen, 'SegmentList');
  if (template === undefined && list === undefined)
    throw wrong('has neither a SegmentTemplate nor a SegmentList, which are what is read');
  const segments =
    template === undefined
      ? listed(list as XmlElement, base)
      : templated(template, { manifest, chosen, base, isLive, nowMs });
  const update = durationOf(manifest.attributes.get('minimumUpdatePeriod'));
  const seconds = segments.at(-1)?.seconds ?? update ?? 2;
  return { segments, isFinished: !isLive, reloadMs: reloadAfter(seconds) };
}

interface TemplateContext extends ManifestTime {
  readonly manifest: XmlElement;
  readonly chosen: Chosen;
  readonly base: string;
  readonly isLive: boolean;
}

function templated(template: XmlElement, context: TemplateContext): Segment[] {
  const { chosen, base } = context;
  const timescale = numberOf(template, 'timescale') ?? 1;
  const { attributes } = chosen.representation;
  const fixed = {
    RepresentationID: attributes.get('id') ?? '',
    Bandwidth: attributes.get('bandwidth') ?? '',
  };
  const media = template.attributes.get('media');
  if (media === undefined || timescale <= 0) throw wrong('has a template without media');
  const initialization = template.attributes.get('initialization');
  const init: FilePart | undefined =
    initialization === undefined ? undefined : { url: resolved(filled(initialization, fixed), base) };
  const startNumber = numberOf(template, 'startNumber') ?? 1;
  const [timeline] = childrenOf(template, 'SegmentTimeline');
  const timed =
    timeline === undefined
      ? regular(template, { ...context, startNumber, timescale })
      : timelineOf(timeline, startNumber);
  return timed.map(({ number, time, duration }) => ({
    position: timeline === undefined ? number : time,
    url: resolved(filled(media, { ...fixed, Number: number, Time: time }), base),
    seconds: duration / timescale,
    init,
    encryption: undefined,
    isDiscontinuous: false,
  }));
}

/** Segments of one length: of a live stream the newest, by the clock; of a recording all. */
function regular(
  template: XmlElement,
  {
    manifest,
    chosen,
    isLive,
    nowMs,
    startNumber,
    timescale,
  }: TemplateContext & {
    startNumber: number;
    timescale: number;
  },
): Timed[] {
  const duration = numberOf(template, 'duration') ?? 0;
  if (duration <= 0) throw wrong('has a template without durations');
  const seconds = duration / timescale;
  const timed = (index: number): Timed => ({ number: startNumber + index, time: index * duration, duration });
  if (!isLive) {
    const total =
      durationOf(chosen.period.attributes.get('duration')) ??
      durationOf(manifest.attributes.get('mediaPresentationDuration')) ??
      0;
    const count = Math.ceil(total / seconds - 1e-6);
    if (!(count > 0) || count > mostSegments) throw wrong('does not say how long it is');
    return Array.from({ length: count }, (_, i) => timed(i));
  }
  const begun = Date.parse(manifest.attributes.get('availabilityStartTime') ?? '');
  const periodStart = durationOf(chosen.period.attributes.get('start')) ?? 0;
  if (Number.isNaN(begun)) throw wrong('is live and does not say since when');
  // A segment is there once its time is over.
  const last = Math.floor(((nowMs - begun) / 1000 - periodStart) / seconds) - 1;
  return Array.from({ length: newestSegments }, (_, i) => last - newestSegments + 1 + i)
    .filter((index) => index >= 0)
    .map(timed);
}

function listed(list: XmlElement, base: string): Segment[] {
  const seconds = (numberOf(list, 'duration') ?? 0) / (numberOf(list, 'timescale') ?? 1);
  const start = numberOf(list, 'startNumber') ?? 1;
  const source = childrenOf(list, 'Initialization')[0]?.attributes.get('sourceURL');
  const init = source === undefined ? undefined : { url: resolved(source, base) };
  return childrenOf(list, 'SegmentURL').map((each, i) => ({
    position: start + i,
    url: resolved(each.attributes.get('media') ?? '', base),
    seconds: seconds > 0 ? Math.min(60, seconds) : 2,
    init,
    encryption: undefined,
    isDiscontinuous: false,
  }));
}

export function dashLoader(outbound: Outbound, url: string, clock: Clock): LoadSegments {
  return async (signal) => {
    const { bytes, url: base } = await fetchBytes(outbound, { url, mostBytes: mostManifestBytes }, signal);
    return readManifest(bytes.toString('utf8'), base, { nowMs: clock.now() });
  };
}
