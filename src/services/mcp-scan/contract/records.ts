/** What scans look like on the wire. */
import { z } from 'zod';
import { isoTime } from '#base/contract/fields.ts';
import { RunProgress } from '#base/contract/run-progress.ts';
import { visibilityField } from '#identity/contract/sharing.ts';

export const scanStatuses = ['pending', 'processing', 'completed', 'failed', 'needs_auth'] as const;
export const ScanStatus = z.enum(scanStatuses);
export const levels = ['low', 'medium', 'high'] as const;
export const Level = z.enum(levels);
const Severity = z.enum(['critical', 'high', 'medium', 'low', 'info']);
const ScanType = z.enum(['file', 'github', 'mcp']);

/** The id of a scan in a path or a query. One sentence tells what is wrong with it. */
export const scanIdInUrl = () => z.coerce.number().int({ abort: true }).min(1);

export const ScanParams = z.object({ scan_id: scanIdInUrl() });

const Framework = z.object({ framework: z.string(), id: z.string() }).meta({ id: 'FrameworkEntry' });

export const Vulnerability = z
  .object({
    id: z
      .string()
      .meta({ description: 'The fingerprint, the same in every scan where the finding is the same.' }),
    rule_id: z.string(),
    title: z.string(),
    severity: Severity,
    confidence: z.enum(['high', 'medium', 'low']),
    cwe: z.array(z.string()),
    owasp: z.array(z.string()),
    file: z.string().nullable(),
    start_line: z.int().nullable(),
    end_line: z.int().nullable(),
    start_column: z.int().nullable(),
    end_column: z.int().nullable(),
    snippet: z.string().nullable().meta({ description: 'The lines, with three before and behind.' }),
    message: z.string(),
    remediation: z.string().nullable(),
    tool_name: z.string().nullable().meta({ description: 'The tool, server or package that it is about.' }),
    source: z.enum(['code', 'description', 'configuration', 'dependency', 'flow', 'server', 'change']),
    evidence: z.string().nullable(),
    trace: z
      .array(
        z
          .object({
            file: z.string(),
            line: z.int().nullable(),
            role: z.enum(['source', 'step', 'guard', 'sink']),
            text: z.string(),
          })
          .meta({ id: 'TraceStep' }),
      )
      .meta({ description: 'From where the value comes in to where it does harm.' }),
    other_places: z
      .array(z.object({ file: z.string(), line: z.int().nullable() }).meta({ id: 'OtherPlace' }))
      .meta({ description: 'Further places of the same weakness, which are mended with it.' }),
    frameworks: z.array(Framework),
    fingerprint: z.string(),
    suppressed: z
      .object({ reason: z.string(), by: z.string(), at: isoTime(), until: isoTime().nullable() })
      .nullable()
      .meta({ description: 'Such findings are shown and do not count.' }),
  })
  .meta({ id: 'Vulnerability' });

const OfferKind = z.enum(['tool', 'resource', 'prompt', 'instructions']);

const TextGuardResult = z
  .object({
    tool_name: z.string(),
    kind: OfferKind,
    result: z.object({
      flagged: z.boolean().meta({
        description:
          'By its own text. A toxic flow, which takes several tools, is a category and flags none.',
      }),
      categories: z.array(z.string()).meta({
        description: 'Such as `Prompt Injection`, `Destructive Toxic Flow` and `Data Leak Toxic Flow`.',
      }),
      category_scores: z.record(z.string(), z.number()),
      explanation: z.record(z.string(), z.string()),
    }),
    model: z.string(),
    description: z.string(),
  })
  .meta({ id: 'TextGuardResult' });

const Coverage = z
  .object({
    files: z.int(),
    bytes: z.int().meta({ description: 'Everything that was there.' }),
    source_bytes: z.int().meta({ description: 'Source in the languages that are analysed.' }),
    analysed_bytes: z.int(),
    is_complete: z.boolean().meta({
      description:
        'False where the analysis ran out of time, or where files of the project (not of dependencies) were not read.',
    }),
    skipped: z.array(z.object({ path: z.string(), bytes: z.int(), reason: z.string() })),
    skipped_total: z.int(),
  })
  .meta({ id: 'ScanCoverage' });

const ScannedTool = z
  .object({
    name: z.string(),
    kind: OfferKind,
    title: z.string().nullable(),
    description: z.string(),
    input_schema: z.unknown(),
    output_schema: z.unknown(),
    file: z.string().nullable(),
    line: z.int().nullable(),
  })
  .meta({ id: 'ScannedTool' });

export const ResultData = z
  .object({
    vulnerabilities: z.array(Vulnerability),
    summary: z.string(),
    textguard_results: z.array(TextGuardResult),
    coverage: Coverage.nullable().meta({ description: 'Null where there was no source.' }),
    tools: z.array(ScannedTool),
    offers: z
      .record(OfferKind, z.object({ total: z.int(), flagged: z.int() }))
      .meta({ description: 'How many of each kind were judged, and how many are flagged.' }),
    deps_checked: z
      .enum(['api', 'db', 'none'])
      .meta({ description: 'Whether known vulnerabilities of dependencies were looked up, and where.' }),
    dependency_count: z.int(),
    left_out: z.int().meta({ description: 'Findings beyond those that are kept.' }),
    notes: z.array(z.string()).meta({ description: 'What could not be done or read.' }),
    server: z.record(z.string(), z.unknown()).nullable(),
  })
  .meta({ id: 'ScanResultData' });

const OAuthMetadata = z
  .object({
    server_name: z.string(),
    server_url: z.string(),
    resource: z.string().nullable(),
    resource_metadata_url: z.string().nullable(),
    scopes_required: z.array(z.string()),
    scopes_supported: z.array(z.string()),
    protected_resource: z.record(z.string(), z.unknown()).nullable(),
    authorization_server: z
      .object({
        issuer: z.string(),
        authorization_endpoint: z.string().nullable(),
        token_endpoint: z.string().nullable(),
        registration_endpoint: z.string().nullable(),
        scopes_supported: z.array(z.string()),
        code_challenge_methods_supported: z.array(z.string()),
        client_id_metadata_document_supported: z.boolean(),
      })
      .nullable(),
    discovery: z.enum(['www-authenticate', 'well-known', 'none']),
    errors: z.array(z.string()),
  })
  .meta({ id: 'ScanOAuthMetadata' });

/** What every run tells of itself. */
export const runFields = {
  kind: z.literal('mcp_scan'),
  progress: RunProgress.nullable(),
  created_at: isoTime(),
  started_at: isoTime().nullable().meta({ description: 'Null while it waits for its turn.' }),
  finished_at: isoTime().nullable(),
};

/** The name of a scan that is named by its id. */
const nameOfScan = (what: string) =>
  z
    .string()
    .nullable()
    .meta({ description: `The \`filename\` of ${what}; null where it was deleted.` });

const summary = {
  id: z.int(),
  ...runFields,
  user_id: z.string(),
  user_name: z.string().nullable(),
  visibility: visibilityField(),
  filename: z.string(),
  upload_time: isoTime(),
  status: ScanStatus,
  processing_stage: z.string().nullable(),
  success: z.boolean(),
  error_message: z.string().nullable(),
  security: Level.nullable().meta({ description: 'For all three levels `high` means more concern.' }),
  complexity: Level.nullable(),
  sensitivity: Level.nullable(),
  vulnerability_count: z.int(),
  severities: z
    .partialRecord(Severity, z.int())
    .meta({ description: 'How many of the findings that count have each severity.' }),
  scan_type: ScanType,
  github_url: z.string().nullable(),
  revision: z
    .string()
    .nullable()
    .meta({ description: 'Empty: the default branch. Null for what is no repository.' }),
  commit_hash: z.string().nullable(),
  server_name: z.string().nullable(),
  batch_id: z.string().nullable(),
  publish: z.boolean(),
  mcp_server_count: z.int(),
  authentication_required: z.boolean(),
  prompt_injection_flagged_count: z.int().meta({
    description:
      'Tools whose own text is flagged; a toxic flow alone flags none. `result_data.offers` has the other kinds.',
  }),
  prompt_injection_total_count: z
    .int()
    .meta({ description: 'Tools that were judged: the `textguard_results` of kind `tool`.' }),
  parent_scan_id: z.int().nullable(),
  parent_scan_name: nameOfScan('the scan before'),
  rescannable: z.boolean(),
  content_hash: z.string().nullable().meta({
    description:
      'Of the archive, or for a live server and a list of tools of the definitions that were judged, in whatever order they came.',
  }),
};

export const ScanSummary = z.object(summary).meta({ id: 'ScanSummary' });

export const ScanRecord = z
  .object({
    ...summary,
    oauth_metadata: OAuthMetadata.nullable(),
    mcp_config: z
      .record(z.string(), z.unknown())
      .meta({ description: 'By server name; values of `env` and `headers` are masked.' }),
    result_data: ResultData.nullable().meta({
      description:
        'Null where nothing is known. Until a server was seen, and where it could not be, what its configuration alone says; `security` and `score` are null then.',
    }),
    security_reasoning: z.string().nullable(),
    complexity_reasoning: z.string().nullable(),
    sensitivity_reasoning: z.string().nullable(),
    score: z.int().nullable().meta({ description: '0 to 100, as in the leaderboard.' }),
    cached_from_scan_id: z
      .int()
      .nullable()
      .meta({ description: 'The same content was scanned before, by the same rules.' }),
    cached_from_scan_name: nameOfScan('that scan'),
    rules_version: z.string().nullable(),
  })
  .meta({ id: 'ScanRecord' });

export const ScanCreated = z
  .object({ scan_id: z.int(), status: ScanStatus, message: z.string() })
  .meta({ id: 'ScanCreateResponse' });

export const BatchScanResponse = z
  .object({
    total: z.int(),
    successful: z.int(),
    failed: z.int(),
    batch_id: z.string().nullable(),
    scans: z.array(
      z.object({
        scan_id: z.int(),
        status: ScanStatus,
        message: z.string(),
        github_url: z.string().optional(),
        revision: z.string().optional().meta({ description: 'Empty: the default branch.' }),
        server_name: z.string().optional(),
      }),
    ),
    failed_repos: z.array(
      z.object({
        github_url: z
          .string()
          .nullable()
          .optional()
          .meta({ description: 'Null for an item of `repositories` that has none.' }),
        revision: z.string().optional(),
        server_name: z.string().optional(),
        error: z.string(),
      }),
    ),
  })
  .meta({ id: 'BatchScanResponse' });
