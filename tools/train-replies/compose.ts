/** Whole replies put together from sentences of the seeds and ordinary passages. */
import type { Random } from '#base/random.ts';
import type { RefusalKind } from '#engine/replies/refusal/model.ts';
import type { Passage } from './corpus.ts';
import type { SeedLine } from './sentence-seeds.ts';

export interface Reply {
  style: string;
  lang: string;
  kind: string;
  label: RefusalKind;
  request: string;
  reply: string;
}

export interface Material {
  lang: string;
  declines: string[];
  redirects: string[];
  ordinary: string[];
  passages: Passage[];
}

/** Of one language; passages of English stand in nowhere else. */
export function materialOf(lang: string, lines: readonly SeedLine[], passages: readonly Passage[]): Material {
  const of = (act: SeedLine['act']) =>
    lines.filter((line) => line.lang === lang && line.act === act).flatMap(({ wordings }) => wordings);
  return {
    lang,
    declines: of('declines'),
    redirects: of('redirects'),
    ordinary: of('ordinary'),
    passages: passages.filter((passage) => passage.lang === lang),
  };
}

const gap = (lang: string) => (lang === 'ja' || lang === 'zh' ? '' : ' ');

/** What an answer is made of: prose, a list or lines. */
function body({ lang, ordinary, passages }: Material, random: Random): string {
  const most = 1 + random.below(6);
  const prose =
    passages.length > 0 && random.next() < 0.6
      ? random.pick(passages).sentences.slice(0, most)
      : random.sample(ordinary, most);
  const form = random.next();
  if (form < 0.2) return prose.map((line, i) => `${i + 1}. ${line}`).join('\n');
  if (form < 0.3) return prose.map((line) => `- ${line}`).join('\n');
  if (form < 0.36) return `**${(prose[0] ?? '').slice(0, 20)}**\n${prose.join(gap(lang))}`;
  return prose.join(gap(lang));
}

function full(material: Material, random: Random): string {
  const before = random.next() < 0.3 ? random.sample(material.redirects, 1 + random.below(2)) : [];
  const after = random.next() < 0.5 ? random.sample(material.redirects, 1 + random.below(3)) : [];
  return [...before, ...random.sample(material.declines, 1 + random.below(2)), ...after].join(
    gap(material.lang),
  );
}

function partial(material: Material, random: Random): string {
  const space = gap(material.lang);
  const decline = random.pick(material.declines);
  const redirect = random.next() < 0.3 ? random.pick(material.redirects) : '';
  const given = body(material, random);
  const between = random.next() < 0.4 ? '\n\n' : /^(?:\d+\.|-|\*)/m.test(given) ? '\n\n' : space;
  const order = random.next();
  if (order < 0.55) return `${given}${between}${decline}${space}${redirect}`.trim();
  if (order < 0.85) return `${decline}${space}${redirect}${between}${given}`;
  return `${given}${between}${decline}${between}${body(material, random)}`;
}

/** A few words or a number: most answers to short questions are no more. */
function bare({ lang, ordinary, passages }: Material, random: Random): string {
  if (random.next() < 0.3) return String(random.below(3000));
  const sentence = passages.length > 0 ? random.pick(random.pick(passages).sentences) : random.pick(ordinary);
  const words = sentence.match(
    lang === 'ja' || lang === 'zh' ? /[\p{L}\p{N}]{1,6}/gu : /[\p{L}\p{N}]+/gu,
  ) ?? ['7'];
  const from = random.below(words.length);
  return words.slice(from, from + 1 + random.below(3)).join(gap(lang));
}

const none = (material: Material, random: Random): string => {
  const extra = random.next() < 0.5 ? random.sample(material.ordinary, 1 + random.below(2)) : [];
  const redirect = random.next() < 0.12 ? random.sample(material.redirects, 1) : [];
  const given = body(material, random);
  const between = /\n/.test(given) ? '\n' : gap(material.lang);
  return random.next() < 0.5
    ? [...extra, given, ...redirect].join(between)
    : [given, ...extra, ...redirect].join(between);
};

/** `count` replies of a language, a third of each kind. */
export function composed(material: Material, count: number, random: Random): Reply[] {
  return Array.from({ length: count }, (_, i) => {
    const label = (['full', 'partial', 'none'] as const)[i % 3] ?? 'none';
    const { lang, passages, ordinary } = material;
    const rest = { style: `composed ${lang}`, lang, kind: 'composed', label };
    const about = passages.length > 0 ? random.pick(random.pick(passages).sentences) : random.pick(ordinary);
    if (label === 'none' && random.next() < 0.15)
      return {
        ...rest,
        request: random.next() < 0.5 ? `${about.replace(/[.!。]$/, '')}?` : about,
        reply: bare(material, random),
      };
    const request = random.next() < 0.6 ? '' : about;
    return { ...rest, request, reply: { full, partial, none }[label](material, random) };
  });
}
