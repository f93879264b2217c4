import { cp, mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cacheFolder } from '../../src/embedded/folders';
import { must } from './tools';

const PLAYS = join(__dirname, 'plays');
const PYTHON_GENERATOR = 'openapi-python-client==0.29.1';
const GENERATOR = { artifact: 'org.openapitools:openapi-generator-cli', version: '7.14.0' };

/** The folder in which a client is generated, compiled and run. */
export interface Workshop {
  /** A folder for this language only, empty at first. */
  readonly folder: string;
  /** The file with the description of the API. */
  readonly description: string;
  readonly signal: AbortSignal;
}

export interface Language {
  readonly name: string;
  /** Commands that must be installed; without them the language is skipped. */
  readonly needs: readonly string[];
  /** Generates and compiles the client. @throws Error with the tool's output @returns the command that runs the client program */
  readonly build: (workshop: Workshop) => Promise<{ readonly command: string; readonly args: readonly string[] }>;
}

/** Makes the client ignore unknown fields, because answers of a later release may have more. */
const TOLERANT = 'disallowAdditionalPropertiesIfNotPresent=false';

/**
 * Makes the generated client send NDJSON and CSV as bytes, because the generator does not support these media types.
 */
const PYTHON_CONFIG = `post_hooks: []
content_type_overrides:
  application/x-ndjson: application/octet-stream
  text/csv: application/octet-stream
`;

const python: Language = {
  name: 'python',
  needs: ['python3'],
  async build({ folder, description, signal }) {
    const where = { cwd: folder, signal };
    const tools = join(cacheFolder(), 'clients', 'python');
    await must('python3', ['-m', 'venv', tools], where);
    await must(join(tools, 'bin', 'pip'), ['install', '--quiet', PYTHON_GENERATOR], where);
    await writeFile(join(folder, 'config.yaml'), PYTHON_CONFIG);
    const to = ['--meta', 'none', '--output-path', 'dueday_client', '--config', 'config.yaml', '--fail-on-warning'];
    await must(join(tools, 'bin', 'openapi-python-client'), ['generate', '--path', description, ...to], where);
    await cp(join(PLAYS, 'play.py'), join(folder, 'play.py'));
    return { command: join(tools, 'bin', 'python'), args: ['play.py'] };
  },
};

const java: Language = {
  name: 'java',
  needs: ['java', 'javac', 'mvn'],
  async build(workshop) {
    const { folder, signal } = workshop;
    const where = { cwd: folder, signal };
    await generate(
      workshop,
      'java',
      ['--library', 'native'],
      ['hideGenerationTimestamp=true', 'openApiNullable=false', TOLERANT],
    );
    await must('mvn', ['-q', '-B', 'dependency:copy-dependencies', `-DoutputDirectory=${join(folder, 'lib')}`], where);
    await cp(join(PLAYS, 'Play.java'), join(folder, 'src/main/java/Play.java'));
    const files = await readdir(join(folder, 'src/main/java'), { recursive: true });
    const sources = files.filter((file) => file.endsWith('.java')).map((file) => join('src/main/java', file));
    await writeFile(join(folder, 'sources'), sources.join('\n'));
    await must('javac', ['-nowarn', '-d', 'out', '-cp', 'lib/*', '@sources'], where);
    return { command: 'java', args: ['-cp', 'out:lib/*', 'Play'] };
  },
};

const go: Language = {
  name: 'go',
  // The generator is a Java program that Maven downloads.
  needs: ['go', 'java', 'mvn'],
  async build(workshop) {
    const { folder, signal } = workshop;
    const where = { cwd: folder, signal };
    await generate(
      workshop,
      'go',
      ['--global-property', 'apis,models,supportingFiles,apiTests=false,modelTests=false'],
      ['packageName=dueday', 'withGoMod=true', TOLERANT],
    );
    await must('go', ['mod', 'edit', '-module', 'example.test/dueday'], where);
    await mkdir(join(folder, 'play'), { recursive: true });
    await cp(join(PLAYS, 'play.go'), join(folder, 'play', 'main.go'));
    await must('go', ['build', '-o', 'client', './play'], where);
    return { command: join(folder, 'client'), args: [] };
  },
};

/** The languages in the order in which their clients run. */
export const LANGUAGES: readonly Language[] = [python, java, go];

async function generate(
  { folder, description, signal }: Workshop,
  language: string,
  args: readonly string[],
  properties: readonly string[],
): Promise<void> {
  const where = { cwd: folder, signal };
  const jars = join(cacheFolder(), 'clients', 'java');
  await mkdir(jars, { recursive: true });
  const { artifact, version } = GENERATOR;
  await must(
    'mvn',
    ['-q', '-B', 'dependency:copy', `-Dartifact=${artifact}:${version}`, `-DoutputDirectory=${jars}`],
    where,
  );
  const jar = join(jars, `openapi-generator-cli-${version}.jar`);
  const to = ['-i', description, '-g', language, '-o', folder, `--additional-properties=${properties.join(',')}`];
  await must('java', ['-jar', jar, 'generate', ...to, ...args], where);
}
