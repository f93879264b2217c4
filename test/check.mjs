/**
 * `npm run check`, before a commit: the build, then, in parallel, the types of the tests and of the console, the imports,
 * unused code, and the formatting and lint of the changed files.
 */
import { execFileSync } from 'node:child_process';
import { bin, BUILD, check, REVIEWS, root } from './checks.mjs';

function changedFiles() {
  const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\n').filter(Boolean);
  return [
    ...git('diff', '--name-only', '--diff-filter=d', 'HEAD'),
    ...git('ls-files', '--others', '--exclude-standard'),
  ];
}

const changed = changedFiles();
const code = changed.filter((file) => /\.(c|m)?[jt]s$/.test(file));
const formatting = {
  name: 'formatting',
  command: bin('oxfmt'),
  args: ['--check', '--no-error-on-unmatched-pattern', ...changed],
};
const lint = { name: 'lint', command: bin('oxlint'), args: ['--no-error-on-unmatched-pattern', ...code] };
const checks = [...REVIEWS, ...(changed.length > 0 ? [formatting] : []), ...(code.length > 0 ? [lint] : [])];

const isBuilt = await check(BUILD);
const outcomes = isBuilt ? await Promise.all(checks.map(check)) : [false];
process.exitCode = outcomes.every(Boolean) ? 0 : 1;
