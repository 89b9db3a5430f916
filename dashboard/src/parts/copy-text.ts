/**
 * Copies to the clipboard, also where the page is served over plain http and browsers offer no clipboard to scripts.
 * @throws if the browser refuses
 */
export async function copyText(text: string): Promise<void> {
  if (window.isSecureContext) return navigator.clipboard.writeText(text);
  const field = document.createElement('textarea');
  field.value = text;
  field.setAttribute('aria-hidden', 'true');
  field.className = 'fixed top-0 opacity-0';
  // In the open dialog, if there is one: it keeps the focus within itself.
  (document.querySelector('[role=dialog]') ?? document.body).append(field);
  const focused = document.activeElement;
  field.select();
  // The only way without a secure context.
  const isCopied = document.execCommand('copy');
  field.remove();
  if (focused instanceof HTMLElement) focused.focus();
  if (!isCopied) throw new Error('The browser did not copy it. Mark the text and copy it yourself.');
}
