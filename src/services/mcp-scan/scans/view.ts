/** Scans on the wire. */
import type { z } from 'zod';
import { toIsoTime } from '#base/clock.ts';
import { maskedArguments } from '#engine/mcp-servers/argument-secrets.ts';
import type { Finding } from '#findings/finding.ts';
import { countOffers } from '../scanning/offers.ts';
import type { ScanResult } from '../scanning/result.ts';
import { summaryNow } from '../scanning/summary.ts';
import type { ResultData, ScanRecord, ScanSummary, Vulnerability } from '../contract/records.ts';
import type { Counted } from './counting.ts';
import type { Rated, Scan, StoredConfig } from './scan.ts';

type Wire<T extends z.ZodType> = z.input<T>;

const isoOf = (date: Date | null): string | null => (date === null ? null : toIsoTime(date.getTime()));

/** Findings come from the database as JSON, their times as text. */
const timeOf = (value: Date | string): string => toIsoTime(new Date(value).getTime());

const sourceOf = ({ tags }: Finding): Wire<typeof Vulnerability>['source'] => {
  if (tags.includes('description')) return 'description';
  if (tags.includes('configuration')) return 'configuration';
  if (tags.includes('dependency')) return 'dependency';
  if (tags.includes('toxic-flow') || tags.includes('shadowing')) return 'flow';
  if (tags.includes('server')) return 'server';
  return tags.includes('change') ? 'change' : 'code';
};

const idsOf = ({ frameworks }: Finding, of: string) =>
  frameworks.filter(({ framework }) => framework === of).map(({ id }) => id);

function viewPlace({ location }: Finding) {
  if (location === undefined) return nowhere;
  const {
    path,
    startLine = null,
    endLine = null,
    startColumn = null,
    endColumn = null,
    snippet = null,
  } = location;
  return {
    file: path,
    start_line: startLine,
    end_line: endLine,
    start_column: startColumn,
    end_column: endColumn,
    snippet,
  };
}

const nowhere = {
  file: null,
  start_line: null,
  end_line: null,
  start_column: null,
  end_column: null,
  snippet: null,
};

function viewSuppression({ suppression }: Finding) {
  if (suppression === undefined) return null;
  const { reason, by, at, until } = suppression;
  return { reason, by, at: timeOf(at), until: until === undefined ? null : timeOf(until) };
}

export function viewFinding(finding: Finding): Wire<typeof Vulnerability> {
  const { flow = [], otherPlaces = [], remedy, subject, evidence } = finding;
  return {
    id: finding.fingerprint,
    rule_id: finding.rule,
    title: finding.title,
    severity: finding.severity,
    confidence: finding.confidence,
    cwe: idsOf(finding, 'cwe'),
    owasp: idsOf(finding, 'owasp-mcp'),
    ...viewPlace(finding),
    message: finding.description,
    remediation: remedy ?? null,
    tool_name: subject ?? null,
    source: sourceOf(finding),
    evidence: evidence ?? null,
    trace: flow.map(({ location: { path, startLine }, role, text }) => ({
      file: path,
      line: startLine ?? null,
      role,
      text: text ?? '',
    })),
    other_places: otherPlaces.map(({ path, startLine }) => ({ file: path, line: startLine ?? null })),
    frameworks: [...finding.frameworks],
    fingerprint: finding.fingerprint,
    suppressed: viewSuppression(finding),
  };
}

interface Shown {
  result: ScanResult;
  findings: readonly Finding[];
  now: Date;
}

function viewResult({ result, findings, now }: Shown): Wire<typeof ResultData> {
  const { coverage } = result;
  return {
    vulnerabilities: findings.map(viewFinding),
    summary: summaryNow(result, findings, now),
    textguard_results: result.textguard.map((each, at) => ({
      tool_name: each.toolName,
      kind: each.kind ?? result.tools[at]?.kind ?? 'tool',
      result: {
        flagged: each.flagged,
        categories: each.categories,
        category_scores: each.categoryScores,
        explanation: each.explanation,
      },
      model: each.model,
      description: each.description,
    })),
    coverage:
      coverage === undefined
        ? null
        : {
            files: coverage.files,
            bytes: coverage.bytes,
            source_bytes: coverage.sourceBytes,
            analysed_bytes: coverage.analysedBytes,
            is_complete: coverage.isComplete,
            skipped: coverage.skipped,
            skipped_total: coverage.skippedTotal,
          },
    tools: result.tools.map(({ name, kind, title, description, inputSchema, outputSchema, path, line }) => ({
      name,
      kind,
      title: title ?? null,
      description,
      input_schema: inputSchema ?? null,
      output_schema: outputSchema ?? null,
      file: path ?? null,
      line: line ?? null,
    })),
    offers: countOffers(result),
    deps_checked: result.depsChecked,
    dependency_count: result.packages.length,
    left_out: result.leftOut,
    notes: result.notes,
    server: result.server ?? null,
  };
}

/** A scan can be repeated where its server can be asked again. */
const isRescannable = ({ scanType, config, status }: Scan): boolean =>
  scanType === 'mcp' && config !== null && status === 'completed';

/** How far a scan is. */
export const viewProgress = ({ progress }: Pick<Scan, 'progress'>): Wire<typeof ScanSummary>['progress'] =>
  progress === null
    ? null
    : { done: progress.done, total: progress.total ?? null, step: progress.step ?? null };

/** When things happened to a scan, as every run tells it. */
export const viewTimes = (scan: Pick<Scan, 'uploadTime' | 'startedAt' | 'finishedAt'>) => ({
  created_at: toIsoTime(scan.uploadTime.getTime()),
  started_at: isoOf(scan.startedAt),
  finished_at: isoOf(scan.finishedAt),
});

/** Empty for the default branch, as requests may have it. */
const revisionOf = ({ scanType, revision }: Scan) => (scanType === 'github' ? (revision ?? '') : null);

export function viewSummary(
  scan: Scan,
  userName: string | null,
  { security, vulnerabilityCount, severities }: Counted,
): Wire<typeof ScanSummary> {
  return {
    id: scan.scanId,
    kind: 'mcp_scan',
    user_id: scan.ownerId,
    user_name: userName,
    visibility: scan.visibility,
    filename: scan.filename,
    upload_time: toIsoTime(scan.uploadTime.getTime()),
    status: scan.status,
    processing_stage: scan.stage,
    progress: viewProgress(scan),
    success: scan.status === 'completed',
    error_message: scan.errorMessage,
    security,
    complexity: scan.complexity,
    sensitivity: scan.sensitivity,
    vulnerability_count: vulnerabilityCount,
    severities,
    scan_type: scan.scanType,
    github_url: scan.githubUrl,
    revision: revisionOf(scan),
    commit_hash: scan.commitHash,
    server_name: scan.serverName,
    batch_id: scan.batchId,
    publish: scan.publish,
    mcp_server_count: scan.serverCount,
    authentication_required: scan.authenticationRequired,
    prompt_injection_flagged_count: scan.flaggedCount,
    prompt_injection_total_count: scan.toolCount,
    parent_scan_id: scan.parentScanId,
    parent_scan_name: scan.parentScanName,
    rescannable: isRescannable(scan),
    content_hash: scan.contentHash,
    ...viewTimes(scan),
  };
}

export interface ScanFindings {
  result: ScanResult | undefined;
  /** With the suppressions that hold for the scan. */
  findings: readonly Finding[];
  /** What the scan counts as with them; undefined where it has no result. */
  rated: Rated | undefined;
  /** The scan that the result was taken from, where the reader may know of it. */
  cachedFromScanId: number | null;
  /** Suppressions count at this moment. */
  now: Date;
}

const viewConfig = (config: StoredConfig) => ({
  ...(config.url !== undefined && { url: config.url }),
  ...(config.transport !== undefined && { transport: config.transport }),
  ...(config.command !== undefined && { command: config.command, args: maskedArguments(config.args) }),
  env: config.env,
  headers: config.headers,
  ...(config.allowNetwork && { allow_network: true }),
});

const countedOfRated = (rated: Rated | undefined, isRated: boolean): Counted =>
  rated === undefined
    ? { security: null, vulnerabilityCount: 0, severities: {} }
    : {
        security: isRated ? rated.ratings.security.level : null,
        vulnerabilityCount: rated.vulnerabilityCount,
        severities: rated.severities,
      };

export function viewScan(
  scan: Scan,
  userName: string | null,
  { result, findings, rated, cachedFromScanId, now }: ScanFindings,
): Wire<typeof ScanRecord> {
  const { config } = scan;
  // One that has only seen the configuration is none of the server.
  const isRated = scan.status === 'completed';
  return {
    ...viewSummary(scan, userName, countedOfRated(rated, isRated)),
    oauth_metadata: scan.oauthMetadata,
    mcp_config: config === null ? {} : { [scan.serverName ?? 'server']: viewConfig(config) },
    result_data: result === undefined ? null : viewResult({ result, findings, now }),
    security_reasoning: (isRated ? rated?.ratings.security.reasoning : undefined) ?? null,
    complexity_reasoning: scan.complexityReasoning,
    sensitivity_reasoning: scan.sensitivityReasoning,
    score: (isRated ? rated?.score : undefined) ?? null,
    cached_from_scan_id: cachedFromScanId,
    cached_from_scan_name: cachedFromScanId === null ? null : scan.cachedFromScanName,
    rules_version: scan.rulesVersion,
  };
}
