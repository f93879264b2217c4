import { openWorld, type World, type WorldOptions } from './world';

type Play = (world: World) => Promise<void>;

export interface Stage {
  /** A scenario is a test that begins with the world and lives beside all others in it. */
  scenario: (name: string, play: Play) => void;
  /** A test that looks at the world once every scenario has ended, well or not. */
  afterwards: (name: string, look: Play) => void;
}

/** One world for the scenarios of a file; call it once, at the top. */
export function openStage(options: WorldOptions = {}): Stage {
  const plays: { readonly play: Play; run: Promise<void> }[] = [];
  let world: World | null = null;

  beforeAll(async () => {
    const opened = (world = await openWorld(options));
    for (const each of plays) {
      each.run = each.play(opened);
      // Its own test tells; until that test's turn a failure is no unhandled one.
      each.run.catch(() => undefined);
    }
  });

  afterAll(async () => {
    await world?.close();
  });

  return {
    scenario(name, play) {
      const mine: (typeof plays)[number] = { play, run: unopened() };
      plays.push(mine);
      test(name, () => mine.run);
    },
    afterwards(name, look) {
      test(name, async () => {
        await Promise.allSettled(plays.map(({ run }) => run));
        await look(world!);
      });
    },
  };
}

/** Stands in until the world is there; quiet until a test asks. */
function unopened(): Promise<void> {
  const run = Promise.reject(new Error('the world did not open'));
  run.catch(() => undefined);
  return run;
}
