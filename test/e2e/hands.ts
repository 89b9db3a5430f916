/** Ways to use a page: with the mouse, and with the keyboard alone. A job that is written once is done with each. */
import type { Locator, Page } from 'playwright-core';
import { tabTo, untilFocused } from './browser.ts';

export interface Hand {
  readonly page: Page;
  /** The words of what was clicked, in order. */
  readonly clicked: readonly string[];
  /** Clicks a button or link; with the keyboard, goes there with Tab and presses Enter. */
  press(words: string, target: Locator): Promise<void>;
  /** Opens a tab; with the keyboard, goes to the open one and presses the arrow key. */
  openTab(name: string): Promise<void>;
  /** Types or pastes into a field in place of what is there. */
  type(field: Locator, text: string): Promise<void>;
}

const mostSteps = 500;

export function mouse(page: Page): Hand {
  const clicked: string[] = [];
  const press = async (words: string, target: Locator) => {
    clicked.push(words);
    await target.click();
  };
  return {
    page,
    clicked,
    press,
    openTab: (name) => press(name, page.getByRole('tab', { name })),
    type: (field, text) => field.fill(text),
  };
}

export function keyboard(page: Page): Hand {
  const clicked: string[] = [];
  return {
    page,
    clicked,
    async press(words, target) {
      clicked.push(words);
      await tabTo(page, target, { mostSteps });
      await page.keyboard.press('Enter');
    },
    async openTab(name) {
      clicked.push(name);
      const go = async () => {
        await tabTo(page, page.getByRole('tab', { selected: true }), { mostSteps });
        await tabTo(page, page.getByRole('tab', { name }), { key: 'ArrowRight', mostSteps: 12 });
      };
      // A dialog that has just closed gives the focus back a moment later, and takes it from the tabs.
      await go().catch(go);
    },
    async type(field, text) {
      await tabTo(page, field, { mostSteps });
      await untilFocused(page, field);
      await page.keyboard.press('ControlOrMeta+a');
      await page.keyboard.insertText(text);
    },
  };
}
