import type { Answer } from '#base/contract/operation.ts';
import { threeDecimals } from '#base/three-decimals.ts';
import type { checkOperations } from '../contract/checks.ts';
import type { DetectorName } from '../contract/names.ts';
import type { Covering } from '#engine/video/coverage.ts';
import type { Evidence } from '../detectors/detector.ts';
import { pngOf } from '../detectors/png.ts';
import type { FrameResult, VideoAnalysis } from './result.ts';

type Wire = Answer<typeof checkOperations.moderateVideo>;

const mostFindings = 200;
const mostThumbnails = 40;

const probsToWire = (probs: Readonly<Record<string, number>>) =>
  Object.fromEntries(
    Object.entries(probs).map(([id, value]) => [id, Math.min(1, Math.max(0, round(value, 4)))]),
  );

const round = (value: number, decimals: number) => Math.round(value * 10 ** decimals) / 10 ** decimals;

export const findingToWire = (finding: Evidence): Wire['findings'][number] => ({
  category: finding.category,
  detector: finding.detector,
  level: finding.level,
  start_seconds: round(finding.startSeconds, 3),
  end_seconds: round(finding.endSeconds, 3),
  probability: Math.min(1, Math.max(0, round(finding.probability, 4))),
  explanation: finding.explanation,
});

export const coveredByToWire = (covering: readonly Covering[]): Wire['covered_by'] => {
  const found: Wire['covered_by'] = {};
  for (const { category, detector, level, note } of covering)
    (found[category] ??= []).push({
      detector: detector as DetectorName,
      level,
      ...(note !== undefined && { note }),
    });
  return found;
};

export function resultToWire(analysis: VideoAnalysis, latencyMs: number): Wire {
  const { media } = analysis;
  const pictured = new Set(
    analysis.frames
      .filter(({ categories, picture }) => picture !== undefined && Object.values(categories).includes(true))
      .slice(0, mostThumbnails),
  );
  return {
    flag: analysis.flag,
    duration_seconds: round(analysis.durationSeconds, 3),
    summary: { categories: analysis.categories, probs: probsToWire(analysis.probs) },
    frames: analysis.frames.map((frame) => frameToWire(frame, pictured.has(frame))),
    clips: analysis.clips.map(({ startSeconds, endSeconds, categories, probs }) => ({
      start_seconds: round(startSeconds, 3),
      end_seconds: round(endSeconds, 3),
      categories,
      probs: probsToWire(probs),
    })),
    latency_ms: threeDecimals(latencyMs),
    coverage: analysis.coverage,
    covered_by: coveredByToWire(analysis.covering),
    findings: analysis.evidence.slice(0, mostFindings).map(findingToWire),
    notes: [...analysis.notes],
    media: {
      container: media.container,
      codec: media.codec,
      width: media.width,
      height: media.height,
      frame_rate: media.frameRate === undefined ? null : round(media.frameRate, 3),
      size_bytes: media.sizeBytes,
      has_audio: media.hasAudio,
      subtitle_streams: media.subtitles.length,
    },
    deployment_id: analysis.deploymentId,
  };
}

const frameToWire = (
  { seconds, categories, probs, isExtra, picture }: FrameResult,
  isPictured: boolean,
): Wire['frames'][number] => ({
  timestamp_seconds: round(seconds, 3),
  categories,
  probs: probsToWire(probs),
  is_extra: isExtra,
  ...(isPictured &&
    picture !== undefined && { thumbnail: `data:image/png;base64,${pngOf(picture, 6).toString('base64')}` }),
});
