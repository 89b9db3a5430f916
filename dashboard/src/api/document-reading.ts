import type { Answer } from '#base/contract/operation.ts';
import { AppError } from '#base/errors.ts';
import {
  ExtractedGroup,
  ExtractionProgress,
  extractionOperations,
} from '#services/policy-guard/contract/extraction.ts';
import { authorisedFetch } from '../session/session.ts';
import { eventsOf } from './event-stream.ts';

export type Draft = Answer<(typeof extractionOperations)['extractPolicies']>;
export type Progress = ReturnType<typeof ExtractionProgress.parse>;

const url = `/services/policy-guard${extractionOperations.extractPoliciesStream.path}`;

/**
 * The policy group that would be created from a PDF.
 * @throws AppError with the service's status and detail
 */
export async function draftFrom(file: File, onProgress: (progress: Progress) => void): Promise<Draft> {
  const body = new FormData();
  body.append('file', file);
  const response = await authorisedFetch(url, { method: 'POST', body });
  const requestId = response.headers.get('x-request-id');
  for await (const { event, data } of eventsOf(response)) {
    const said: unknown = JSON.parse(data);
    if (event === 'progress') onProgress(ExtractionProgress.parse(said));
    else if (event === 'result') return ExtractedGroup.parse(said);
    else if (event === 'error') {
      const { status, detail } = said as { status: number; detail: string };
      throw new AppError(status, 'refused', detail, {
        headers: requestId === null ? {} : { 'x-request-id': requestId },
      });
    }
  }
  throw new AppError(502, 'cut_off', 'The response was interrupted. Is the service running?');
}
