import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isPermitted, type Locked, nameAndVersion, readLock, withoutFixedContent } from './licences';
import { advisoriesCheck, narrowed, readVulnerabilities } from './npm';
import { withOrigins } from './origins';

const ROOT = join(__dirname, '..', '..');

test.each([
  ['MIT', true],
  ['Apache-2.0 AND MIT', true],
  ['(MIT OR GPL-3.0-only)', true],
  ['MIT AND GPL-3.0-only', false],
  ['GPL-3.0-only', false],
  ['MPL-2.0', false],
  ['SEE LICENSE IN LICENSE', false],
  [null, false],
])('the licence %s is permitted: %p', (licence, permitted) => expect(isPermitted(licence)).toBe(permitted));

test('licences of every package that runs are known and permitted', () => {
  const running = readLock(ROOT).filter(({ isDev }) => !isDev);
  expect(running.length).toBeGreaterThan(200);
  expect(running.filter(({ licence }) => !isPermitted(licence)).map(({ folder }) => folder)).toEqual([]);
});

describe('withoutFixedContent', () => {
  const locked: Locked = {
    ...{ folder: 'node_modules/a', version: '1.0.0', licence: 'MIT', isDev: false },
    integrity: `sha512-${'a'.repeat(86)}==`,
    resolved: null,
  };

  test('every package comes from the registry and has a checksum', () => {
    expect(withoutFixedContent(readLock(ROOT)).map(({ folder }) => folder)).toEqual([]);
  });

  test.each<[string, Partial<Locked>]>([
    ['no checksum', { integrity: null }],
    ['a weak checksum', { integrity: 'sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk=' }],
    ['a repository as its origin', { resolved: 'git+ssh://git@github.com/someone/a.git#0123' }],
    ['another host as its origin', { resolved: 'https://packages.evil.example/a.tgz' }],
  ])('a package with %s is reported', (_what, change) =>
    expect(withoutFixedContent([{ ...locked, ...change }])).toHaveLength(1),
  );
});

describe('narrowed', () => {
  const sbom = {
    bomFormat: 'CycloneDX',
    metadata: { component: { 'bom-ref': 'ours@1.0.0' } },
    components: [{ 'bom-ref': 'a@1.0.0' }, { 'bom-ref': 'b@1.0.0' }],
    dependencies: [
      { ref: 'ours@1.0.0', dependsOn: ['a@1.0.0', 'b@1.0.0'] },
      { ref: 'a@1.0.0', dependsOn: [] },
      { ref: 'b@1.0.0', dependsOn: ['a@1.0.0'] },
    ],
  };

  test('the bill of materials lists the packages that run, and what needs them', () => {
    expect(narrowed(sbom, new Set(['a@1.0.0']))).toEqual({
      ...sbom,
      components: [{ 'bom-ref': 'a@1.0.0' }],
      dependencies: [
        { ref: 'ours@1.0.0', dependsOn: ['a@1.0.0'] },
        { ref: 'a@1.0.0', dependsOn: [] },
      ],
    });
  });

  test('a bill of materials that lacks a package is refused', () => {
    expect(() => narrowed(sbom, new Set(['a@1.0.0', 'c@1.0.0']))).toThrow('npm sbom lacks c@1.0.0');
  });
});

describe('withOrigins', () => {
  const sbom = { bomFormat: 'CycloneDX', components: [{ 'bom-ref': 'a@1.0.0' }] };
  const locked: Locked = {
    ...{ folder: 'node_modules/a', version: '1.0.0', licence: 'MIT', isDev: false },
    ...{ integrity: 'sha512-aa==', resolved: null },
  };

  test('licence and origin of a component are in the bill of materials, as the lock file has them', () => {
    expect(withOrigins(sbom, [locked]).components).toEqual([
      {
        'bom-ref': 'a@1.0.0',
        licenses: [{ license: { name: 'MIT' } }],
        properties: [
          { name: 'dueday:source', value: 'the public registry of npm' },
          { name: 'dueday:integrity', value: 'sha512-aa==' },
        ],
      },
    ]);
  });

  test('every package that runs has a licence and an origin for the bill of materials', () => {
    const running = readLock(ROOT).filter(({ isDev }) => !isDev);
    const components = running.map((each) => ({ 'bom-ref': nameAndVersion(each) }));
    expect(() => withOrigins({ ...sbom, components }, running)).not.toThrow();
  });

  test.each<[string, readonly Locked[]]>([
    ['is not in the lock file', []],
    ['has no licence', [{ ...locked, licence: null }]],
    ['has no hash', [{ ...locked, integrity: null }]],
  ])('a component of the bill of materials that %s is refused', (_what, packages) => {
    expect(() => withOrigins(sbom, packages)).toThrow('a@1.0.0');
  });
});

test('dueday itself is unlicensed for others, and SECURITY.md says how to report a vulnerability', () => {
  const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as Record<string, unknown>;
  expect(manifest['license']).toBe('UNLICENSED');
  expect(readFileSync(join(ROOT, 'SECURITY.md'), 'utf8')).toMatch(/report/i);
});

test('vulnerabilities that could not be checked fail the check, whose result says so', () => {
  expect(advisoriesCheck(null)).toEqual({
    ...{ name: 'known vulnerabilities', holds: false },
    found: "not checked: the registry's advisories did not answer",
  });
  expect(advisoriesCheck({ total: 0, text: '0' }).holds).toBe(true);
  expect(advisoriesCheck({ total: 1, text: '1 (1 low)' }).holds).toBe(false);
});

const counted = (counts: object) => JSON.stringify({ metadata: { vulnerabilities: counts } });
const NONE = { info: 0, low: 0, moderate: 0, high: 0, critical: 0, total: 0 };

test('vulnerabilities are counted by how severe they are', () => {
  expect(readVulnerabilities(counted(NONE))).toEqual({ total: 0, text: '0' });
  expect(readVulnerabilities(counted({ ...NONE, high: 2, low: 1, total: 3 }))).toEqual({
    total: 3,
    text: '3 (2 high, 1 low)',
  });
});

test.each([
  ['nothing', ''],
  ['no JSON', 'npm error audit endpoint returned an error'],
  ['a fault', '{"error":{"code":"ENOTFOUND","summary":"request failed"}}'],
  ['a fault beside counts', JSON.stringify({ error: {}, metadata: { vulnerabilities: NONE } })],
  ['no counts', '{"metadata":{}}'],
  ['counts without a sum', '{"metadata":{"vulnerabilities":{"high":0}}}'],
])('vulnerabilities count as not checked if npm says %s', (_what, said) =>
  expect(readVulnerabilities(said)).toBeNull(),
);
