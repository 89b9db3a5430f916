/** Turns a PDF into a draft of a policy group; nothing is saved. */
import { invalid } from '#base/errors.ts';
import { textOf } from '#base/pdf/pdf-page.ts';
import { PdfError, readPdf } from '#base/pdf/read-pdf.ts';
import { headingsOf } from '#engine/documents/passages.ts';
import { LanguageModelError } from '#llm/failures.ts';
import { createFence } from '#llm/fence.ts';
import type { LanguageModel } from '#llm/language-model.ts';
import { maxGroupCharacters, maxPolicies } from '../../contract/policies.ts';
import type { ExtractionEvents } from './events.ts';
import { clean, type DraftedPolicy, withOwnNames } from './drafted-policy.ts';
import { policiesByModel } from './policies-by-model.ts';
import { policiesByWords } from './policies-by-words.ts';
import { createFindPage, holdsQuote } from './quotes.ts';

export interface ExtractionDeps {
  readonly model: Pick<LanguageModel, 'structured'> | undefined;
  readonly events: ExtractionEvents;
}

export interface DraftedGroup {
  readonly name: string;
  readonly description: string;
  readonly policies: readonly DraftedPolicy[];
  readonly pages: number;
  readonly engine: 'embedded' | 'language_model';
  /** Warnings: the model failed, or the document was too long. */
  readonly notes: readonly string[];
}

const readTimeoutMs = 45_000;
/** For all questions to the model together. */
const modelTimeoutMs = 90_000;

/** Progress: in pages read, then in questions answered by a language model. */
export interface Progress {
  readonly step: 'pages' | 'questions';
  readonly done: number;
  readonly total: number;
}

export type Extract = ReturnType<typeof createExtract>;

export function createExtract({ model, events }: ExtractionDeps) {
  const reader = model && { model, fence: createFence() };

  /** @throws AppError 422 that explains what is wrong with the file, 503 if too many are being read. */
  return async function extract(
    fileName: string,
    bytes: Uint8Array,
    onProgress: (progress: Progress) => void = () => undefined,
  ): Promise<DraftedGroup> {
    const pages = await read(bytes, (done, total) => onProgress({ step: 'pages', done, total }));
    const text = textOf(pages);
    const title = headingsOf(text.text)[0] ?? titleOf(fileName);
    const findPage = createFindPage(pages);
    const byWords = policiesByWords(text, findPage, title);
    const notes: string[] = [];
    let policies: DraftedPolicy[] = byWords;
    let engine: DraftedGroup['engine'] = 'embedded';
    if (reader !== undefined) {
      try {
        const signal = AbortSignal.timeout(modelTimeoutMs);
        const onAnswer = (done: number, total: number) => onProgress({ step: 'questions', done, total });
        const reading = await policiesByModel({ ...reader, onAnswer }, pages, findPage, signal);
        policies = [...reading.policies, ...notCovered(byWords, reading.policies)];
        engine = 'language_model';
        if (reading.pagesLeftOut > 0)
          notes.push(`The language model did not read ${reading.pagesLeftOut} of the pages.`);
      } catch (error) {
        const isFailure = error instanceof LanguageModelError || (error as Error).name === 'TimeoutError';
        if (!isFailure) throw error;
        notes.push('The language model did not answer: the embedded engine read the document alone.');
      }
    }
    const fitting = withinGroup(withOwnNames(policies));
    if (fitting.length < policies.length)
      notes.push(
        `A group takes no more: the last ${policies.length - fitting.length} policies are left out.`,
      );
    if (fitting.length === 0)
      throw invalid(
        "'file' is a PDF in which no obligation and no prohibition was found. Is it a policy, and in English?",
      );
    events.policiesExtracted({ pages: pages.length, policies: fitting.length, engine });
    return {
      name: clean(title, 255),
      description: `Extracted from ${clean(fileName, 255)}.`,
      policies: fitting,
      pages: pages.length,
      engine,
      notes,
    };
  };
}

async function read(bytes: Uint8Array, onPage: (done: number, total: number) => void) {
  try {
    return await readPdf(bytes, { timeoutMs: readTimeoutMs, onPage });
  } catch (error) {
    if (error instanceof PdfError) throw invalid(`'file' cannot be used. ${error.message}`, error);
    throw error;
  }
}

/** Binding sentences that the model did not quote: they become a policy per section. */
function notCovered(byWords: readonly DraftedPolicy[], byModel: readonly DraftedPolicy[]): DraftedPolicy[] {
  const quotes = byModel.flatMap(({ sources }) => sources.map(({ quote }) => quote));
  const says = holdsQuote(quotes);
  return byWords.filter(({ sources }) => !sources.every(({ quote }) => says(quote)));
}

function withinGroup(policies: readonly DraftedPolicy[]): DraftedPolicy[] {
  let characters = 0;
  const over = policies.findIndex(({ name, description, blockActivities, safeActivities }) => {
    for (const text of [name, description, ...blockActivities, ...safeActivities]) characters += text.length;
    return characters > maxGroupCharacters;
  });
  return policies.slice(0, Math.min(maxPolicies, over < 0 ? policies.length : over));
}

const titleOf = (fileName: string): string =>
  fileName
    .replace(/\.pdf$/i, '')
    .replaceAll(/[_-]+/g, ' ')
    .trim() || 'Extracted policies';
