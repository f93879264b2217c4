import { Menu, Search as SearchIcon } from 'lucide-preact';
import type { ComponentChildren, VNode } from 'preact';
import { useLocation } from 'preact-iso';
import { useEffect, useRef, useState } from 'preact/hooks';
import { instant, now } from '../format';
import { isSearchOpen } from '../keyboard';
import { Undo } from '../parts';
import { session } from '../session';
import { liveness } from '../stream';
import { Account } from './account';
import { Help, Replaced, Unreachable } from './alerts';
import { HaltBanner, HaltSending } from './halt';
import { Navigation } from './navigation';
import { Search } from './search';
import { titleOf } from './views';

/** The frame of every view: navigation, search, the state of the installation, and who is signed in. */
export function Layout({ children }: { readonly children: ComponentChildren }): VNode {
  const { path } = useLocation();
  const main = useRef<HTMLElement>(null);
  useEffect(() => {
    document.title = titleOf(path);
  }, [path]);
  return (
    <div class="page">
      <a class="skip" href="#main" onClick={() => main.current?.focus()}>
        Skip to the content
      </a>
      <Side path={path} />
      <div class="body">
        <header class="top">
          <button type="button" class="search-button" onClick={() => (isSearchOpen.value = true)}>
            <SearchIcon aria-hidden="true" size={16} />
            <span>Search</span>
            <kbd aria-hidden="true">/</kbd>
          </button>
          <Environment />
          <Account />
        </header>
        <HaltBanner />
        <main id="main" ref={main} tabIndex={-1}>
          <Replaced />
          <Unreachable />
          {children}
        </main>
      </div>
      <Undo />
      <Search />
      <Help />
    </div>
  );
}

/** The navigation beside the view; on a narrow page, a drawer. */
function Side({ path }: { readonly path: string }): VNode {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => setOpen(false), [path]);
  useEffect(() => {
    if (!isOpen) return undefined;
    const escape = ({ key }: KeyboardEvent) => key === 'Escape' && setOpen(false);
    addEventListener('keydown', escape);
    return () => removeEventListener('keydown', escape);
  }, [isOpen]);
  return (
    <>
      <button
        type="button"
        class="drawer-button quiet"
        aria-label="Menu"
        aria-expanded={isOpen}
        aria-controls="side"
        onClick={() => setOpen(!isOpen)}
      >
        <Menu aria-hidden="true" size={20} />
      </button>
      <div id="side" class={isOpen ? 'side is-open' : 'side'}>
        <a class="brand" href="/">
          dueday
        </a>
        <Navigation path={path} />
        <div class="side-foot">
          <HaltSending />
        </div>
      </div>
      {isOpen ? <div class="drawer-shade" aria-hidden="true" onClick={() => setOpen(false)} /> : null}
    </>
  );
}

/** Which installation this is, whether it runs on a test clock, and whether changes arrive by themselves. */
function Environment(): VNode {
  const isLive = liveness.value === 'live';
  return (
    <div class="environment">
      <TestClock />
      <span class="host muted" title={`The installation you are working on: ${location.host}`}>
        {location.host}
      </span>
      <span
        class="liveness muted"
        title={isLive ? 'Changes appear immediately' : 'The page is refreshed every 5 seconds'}
      >
        <span aria-hidden="true">{isLive ? '●' : '○'} </span>
        {isLive ? 'Live' : 'Polling'}
      </span>
    </div>
  );
}

function TestClock(): VNode | null {
  const clock = session.value?.clock;
  if (clock?.isTest !== true) return null;
  const at = new Date(now()).toISOString();
  const speed = clock.speed === 1 ? '' : `, ${clock.speed} times faster`;
  return (
    <span class="test-clock" title={`${at}${speed}`}>
      <strong>Test clock</strong> {instant(at)}
      {speed}
    </span>
  );
}
