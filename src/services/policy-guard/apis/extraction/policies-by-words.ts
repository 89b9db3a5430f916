/** Policies of a document without a model: its sections, and in each what binds. Pure. */
import type { PdfText } from '#base/pdf/pdf-page.ts';
import { activitiesOf, allowedActivity } from '#engine/documents/activities.ts';
import { forbidsOtherwise } from '#engine/documents/cues.ts';
import { normOf, permissionOf } from '#engine/documents/norms.ts';
import { passagesOf, type Passage } from '#engine/documents/passages.ts';
import { closeDraft, type DraftedPolicy, openDraft, type OpenDraft } from './drafted-policy.ts';
import type { FindPage } from './quotes.ts';

interface Finding {
  readonly kind: 'prohibition' | 'obligation' | 'permission';
  readonly statement: string;
  readonly source: string;
  readonly block: readonly string[];
  readonly safe: readonly string[];
}

const isProhibition =
  /n[’']t\b|\b(?:not|never|nobody|no one|none|neither|cannot|prohibited|forbidden|disallowed|illegal|avoid|refrain|may only)\b|^(?:only|no)\b/i;

function findingOf(passage: Passage): Finding | undefined {
  const norm = normOf(passage);
  if (norm !== undefined) {
    const kind =
      isProhibition.test(norm.statement) || forbidsOtherwise(norm.statement) ? 'prohibition' : 'obligation';
    return { kind, ...norm, ...activitiesOf(norm.statement) };
  }
  const statement = permissionOf(passage);
  if (statement === undefined) return undefined;
  const source = passage.lead === undefined ? passage.text : `${passage.lead} ${passage.text}`;
  return { kind: 'permission', statement, source, block: [], safe: [allowedActivity(statement)] };
}

const longestQuote = 2000;

/** A policy for each section that forbids or demands something, in the order of the document. */
export function policiesByWords(
  { text, pageOfLine }: PdfText,
  findPage: FindPage,
  title: string,
): DraftedPolicy[] {
  const drafts = new Map<string, OpenDraft>();
  const permissions: [OpenDraft, Finding, number][] = [];
  for (const passage of passagesOf(text)) {
    const finding = findingOf(passage);
    if (finding === undefined) continue;
    const name = passage.heading ?? title;
    const draft = drafts.get(name) ?? openDraft(name);
    drafts.set(name, draft);
    const begins = pageOfLine[passage.line] ?? 1;
    const page = findPage(passage.text, begins) ?? begins;
    if (finding.kind === 'permission') permissions.push([draft, finding, page]);
    else add(draft, finding, page);
  }
  // A section that only allows something is no policy; what it allows belongs to one that is there.
  for (const [draft, finding, page] of permissions) if (draft.sources.length > 0) add(draft, finding, page);
  return [...drafts.values()].filter(({ block }) => block.size > 0).flatMap(closeDraft);
}

function add(draft: OpenDraft, { kind, statement, source, block, safe }: Finding, page: number): void {
  for (const activity of block) draft.block.add(activity);
  for (const activity of safe) draft.safe.add(activity);
  if (kind !== 'permission' && draft.description.length < 300)
    draft.description = `${draft.description} ${statement}`.trim();
  draft.sources.push({ page, quote: source.slice(0, longestQuote).toWellFormed(), kind });
}
