import type { Command } from 'commander';
import { basename } from 'node:path';
import { exitCodes } from '../exit-codes.ts';
import { write } from '../files.ts';
import { numberFrom } from '../number-option.ts';
import type { VideoOptions } from '../video/open.ts';
import { whoSignsIn } from '../sign-in-option.ts';

/** `bulwark video check|watch|eval`. */
export function addVideoCommand(program: Command): void {
  const video = program.command('video').description('judge videos (needs a running video moderation)');

  connected(video.command('check'))
    .description(`judge one video; exit code ${exitCodes.flagged} if it is flagged`)
    .argument('<file|url>', 'an MP4, WebM or MOV file, or its http(s) address')
    .option('--json', 'print the whole result as JSON')
    .option('--sheet <file>', 'write a page (HTML) with the flagged moments, blurred until asked for')
    .action(async (source: string, options: CheckOptions) => {
      const { checkVideo } = await import('../video/open.ts');
      const { printReport, progressLine } = await import('../video/print.ts');
      const name = basename(source);
      const report = await (async () => {
        using line = progressLine(name);
        return await checkVideo(source, options, ({ analyzed_seconds: at, duration_seconds: of }) =>
          line.show(at, of),
        );
      })();
      if (options.sheet !== undefined) {
        const { contactSheet } = await import('../video/contact-sheet.ts');
        write(options.sheet, contactSheet(name, report));
        console.error(`The contact sheet is in ${options.sheet}.`);
      }
      if (options.json === true) console.log(JSON.stringify(report, undefined, 2));
      else printReport(report);
      if (report.flag) process.exitCode = exitCodes.flagged;
    });

  connected(video.command('watch'))
    .description(
      `show the events of a live session as they come, until Ctrl-C; exit code ${exitCodes.flagged} if it was flagged`,
    )
    .argument('<stream>', 'the id of a session, or an address (HLS, DASH, RTMP) to watch')
    .option('--json', 'print each event as a line of JSON')
    .action(async (stream: string, options: VideoOptions & { json?: boolean }) => {
      const { lineOf, printSummary, watchStream } = await import('../video/watch.ts');
      const stopping = new AbortController();
      process.once('SIGINT', () => stopping.abort());
      process.once('SIGTERM', () => stopping.abort());
      const { summary } = await watchStream(
        stream,
        options,
        (event) => {
          const line = options.json === true ? JSON.stringify(event) : lineOf(event);
          if (line !== undefined) console.log(line);
        },
        stopping.signal,
      );
      if (summary !== undefined && options.json !== true) printSummary(summary);
      if (summary?.flag === true) process.exitCode = exitCodes.flagged;
    });

  connected(video.command('eval'))
    .description(
      'judge the videos of a folder and compare with labels.json: {"a.mp4": ["Sexual"], "b.mp4": []}',
    )
    .argument('<folder>', 'the folder with videos and labels.json')
    .option('--json', 'print every result as JSON')
    .action(async (folder: string, options: VideoOptions & { json?: boolean }) => {
      const { evaluateFolder, printTable } = await import('../video/eval.ts');
      const judged = await evaluateFolder(folder, options);
      if (options.json === true) console.log(JSON.stringify(judged, undefined, 2));
      else printTable(judged);
      if (judged.some(({ problem }) => problem !== undefined)) process.exitCode = exitCodes.failed;
    });
}

interface CheckOptions extends VideoOptions {
  json?: boolean;
  sheet?: string;
}

const connected = (command: Command): Command =>
  command
    .option(
      '--fps <number>',
      'frames a second that are judged one by one (default: 1)',
      numberFrom(0.05, 30, false),
    )
    .option('--clip-seconds <number>', 'length of a clip (default: 4)', numberFrom(0.5, 60, false))
    .option('--deployment <id>', 'categories, thresholds and detectors to use')
    .option('--username <name>', whoSignsIn)
    .option('--tenant <name>', 'their tenant (default: system)')
    .option(
      '--url <address>',
      'video moderation (default: BULWARK_VIDEO_MODERATION_URL, else as configured)',
    );
