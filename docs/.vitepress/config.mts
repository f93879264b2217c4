import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { defineConfig, type DefaultTheme } from 'vitepress';

const DOCS = join(import.meta.dirname, '..');

/** The pages of one kind, in the order in which they are read. Each is titled by its own heading. */
const SECTIONS = [
  { text: 'Start', folder: 'start', first: ['tutorial'] },
  {
    text: 'Guides',
    folder: 'guides',
    first: ['integrate', 'payers', 'deploy', 'operate', 'restore', 'console', 'temporal-ui'],
  },
  { text: 'Runbooks', folder: 'guides/runbooks', first: [], collapsed: true },
  { text: 'Reference', folder: 'reference', first: ['admin-api', 'events', 'commands', 'configuration', 'metrics'] },
  { text: 'Explanation', folder: 'explain', first: ['architecture', 'rules', 'faults', 'security'] },
];

function pagesOf(folder: string, first: readonly string[]): DefaultTheme.SidebarItem[] {
  const names = readdirSync(join(DOCS, folder)).flatMap((name) => (name.endsWith('.md') ? [name.slice(0, -3)] : []));
  const missing = first.filter((name) => !names.includes(name));
  if (missing.length > 0) throw new Error(`docs/${folder} has no ${missing.join(', ')}`);
  const others = names.filter((name) => !first.includes(name)).sort();
  return [...first, ...others].map((name) => ({ text: titleOf(`${folder}/${name}.md`), link: `/${folder}/${name}` }));
}

function titleOf(page: string): string {
  const title = /^# (.+)$/m.exec(readFileSync(join(DOCS, page), 'utf8'))?.[1];
  if (title === undefined) throw new Error(`docs/${page} has no heading`);
  return title.replaceAll('`', '');
}

/** The site of the documentation, which the admin API serves at `/docs/`. A link to a page that does not exist fails the build. */
export default defineConfig({
  title: 'dueday',
  description: 'A daemon that collects subscriptions on time, and each of them once',
  lang: 'en',
  base: '/docs/',
  outDir: '../dist/docs',
  cacheDir: '../node_modules/.cache/vitepress',
  cleanUrls: true,
  // Otherwise each page would have an inline script, which the content security policy forbids.
  metaChunk: true,
  head: [['link', { rel: 'icon', href: '/docs/icon.svg', type: 'image/svg+xml' }]],
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    nav: [{ text: 'Admin API', link: '/api/', target: '_self' }],
    sidebar: SECTIONS.map(({ text, folder, first, ...more }) => ({ text, items: pagesOf(folder, first), ...more })),
    docFooter: { prev: 'Previous page', next: 'Next page' },
  },
  markdown: {
    // Braces after inline code are text.
    attrs: { disable: true },
    config: (md) => {
      // The pages show templates with double braces, which Vue would take for its own.
      const render = md.renderer.render.bind(md.renderer);
      md.renderer.render = (...args) => render(...args).replaceAll('{{', '&#123;&#123;');
      md.core.ruler.push('files_of_the_repository', ({ tokens, env }) => {
        const page = (env as { relativePath?: string }).relativePath ?? '';
        for (const token of tokens) unlinkFiles(token.children ?? [], posix.dirname(page));
      });
    },
  },
  vite: { build: { chunkSizeWarningLimit: 4_000 } },
});

type Tokens = readonly { type: string; hidden: boolean; attrGet: (name: string) => string | null }[];

/** The site has no files of the repository besides the pages and their pictures: links to them are shown as their text. */
function unlinkFiles(tokens: Tokens, folder: string): void {
  let isUnlinked = false;
  for (const token of tokens) {
    if (token.type === 'link_open') isUnlinked = isOutside(token.attrGet('href') ?? '', folder);
    if (!isUnlinked || !/^link_(open|close)$/.test(token.type)) continue;
    token.type = 'text';
    if (token.hidden) continue;
    Object.assign(token, { tag: '', content: '', nesting: 0 });
  }
}

function isOutside(href: string, folder: string): boolean {
  if (/^([a-z]+:|#|\/)/.test(href)) return false;
  const target = posix.normalize(posix.join(folder, href));
  return target.startsWith('..') || /\.json$/.test(target);
}
