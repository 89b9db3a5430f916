// Before the first paint, so that nobody sees the other theme flash.
{
  const chosen = localStorage.getItem('bulwark.theme');
  const dark =
    chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.dataset.theme = dark ? 'dark' : 'light';
}
