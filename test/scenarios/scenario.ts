import { openWorld, type World, type WorldOptions } from './world';

/** @param started is called by a scenario that creates nothing itself, once the next scenario may begin */
type Play = (world: World, started: () => void) => Promise<void>;

export interface Stage {
  /** A scenario is a test that runs in parallel with all others of its world. They begin once the world is open. */
  scenario: (name: string, play: Play) => void;
  /** A test that checks the world once every scenario has ended, whether it passed or not. */
  afterwards: (name: string, look: (world: World) => Promise<void>) => void;
}

/**
 * Opens one world for the scenarios of a file; call it once, at the top. A scenario starts once the previous one has placed its
 * first order: all at once they would be a storm, and a daemon that has just started on a busy machine refuses an operator's
 * request after ten seconds.
 */
export function openStage(options: WorldOptions = {}): Stage {
  const plays: { readonly play: Play; run: Promise<void> }[] = [];
  let world: World | null = null;

  beforeAll(async () => {
    const opened = (world = await openWorld(options));
    let turn = Promise.resolve();
    for (const each of plays) {
      const before = turn;
      turn = new Promise((ordered) => {
        each.run = before.then(() => each.play(tellingOfOrders(opened, ordered), ordered));
        // The scenario's own test reports a failure; until that test runs it must not be an unhandled rejection.
        each.run.catch(() => undefined).finally(ordered);
      });
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

function tellingOfOrders(world: World, tell: () => void): World {
  return {
    ...world,
    async order(terms) {
      const life = await world.order(terms);
      tell();
      return life;
    },
  };
}

/** The run of a scenario until the world is open; it remains if the world does not open. */
function unopened(): Promise<void> {
  const run = Promise.reject(new Error('the world did not open'));
  run.catch(() => undefined);
  return run;
}
