import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Page } from 'playwright-core';

const perSheet = 9;

/**
 * Puts pictures side by side, nine on a sheet, each with its name and cut where it is much longer than a screen.
 * @param page whose address and size it changes
 */
export async function contactSheets(
  page: Page,
  files: readonly string[],
  { width, to }: { width: number; to: (at: number) => string },
): Promise<void> {
  const isNarrow = width < 600;
  const [columns, height] = isNarrow ? [perSheet, 1200] : [3, 560];
  await page.setViewportSize({ width: 1950, height: 900 });
  for (let at = 0; at * perSheet < files.length; at++) {
    const cells = await Promise.all(
      files.slice(at * perSheet, (at + 1) * perSheet).map(async (file) => {
        const data = (await readFile(file)).toString('base64');
        return `<figure style="margin:0"><figcaption style="font:12px sans-serif">${basename(file)}</figcaption><div style="height:${height}px;overflow:hidden;border:1px solid #888"><img src="data:image/png;base64,${data}" style="width:100%"></div></figure>`;
      }),
    );
    await page.goto('about:blank');
    await page.setContent(
      `<div style="background:white;color:black;display:grid;gap:6px;grid-template-columns:repeat(${columns},1fr)">${cells.join('')}</div>`,
    );
    await page.screenshot({ path: to(at), fullPage: true, type: 'png' });
  }
}
