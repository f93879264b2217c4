import type { ComponentChildren, VNode } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { openDialogs, rescueFocus } from '../keyboard';

export interface DialogProps {
  readonly title: string;
  /** Called for Escape, the closing button, or a click outside. */
  readonly onClose: () => void;
  /** Whether none of these closes it, because what it shows or waits for would be lost. */
  readonly isHeld?: boolean;
  /** Whether it is a panel at the side, as tall as the window. */
  readonly isSide?: boolean;
  readonly children: ComponentChildren;
}

/**
 * A native modal dialog, open as long as it is rendered. Closing it returns the focus to the element that had it before
 * or, if that is gone or hidden, to the view.
 */
export function Dialog({ title, onClose, isHeld = false, isSide = false, children }: DialogProps): VNode {
  const box = useRef<HTMLDialogElement>(null);
  const isPressedBeside = useRef(false);
  const heading = useId();
  useEffect(() => {
    const before = document.activeElement;
    const dialog = box.current;
    dialog?.showModal();
    openDialogs.value = openDialogs.peek() + 1;
    return () => {
      // While the dialog is modal, nothing outside can take the focus.
      dialog?.close();
      openDialogs.value = openDialogs.peek() - 1;
      // After the current rendering.
      queueMicrotask(() => giveFocus(before));
    };
  }, []);
  const leave = () => {
    if (!isHeld) onClose();
  };
  return (
    <dialog
      ref={box}
      class={isSide ? 'dialog dialog-side' : 'dialog'}
      aria-labelledby={heading}
      // In Chrome, preventing the cancel event below stops one Escape, but not a second one.
      closedby={isHeld ? 'none' : undefined}
      onCancel={(event) => {
        event.preventDefault();
        leave();
      }}
      onPointerDown={(event) => {
        isPressedBeside.current = event.target === box.current;
      }}
      onClick={(event) => {
        // A text selection that starts in the dialog and ends outside causes a click outside.
        if (isPressedBeside.current && event.target === box.current) leave();
      }}
    >
      <div class="dialog-body">
        <header>
          <h2 id={heading}>{title}</h2>
          {isHeld ? null : (
            <button type="button" class="quiet" aria-label="Close" onClick={onClose}>
              ✕
            </button>
          )}
        </header>
        {children}
      </div>
    </dialog>
  );
}

/** Returns the focus to an element. If it is removed later, once the page shows the action as done, the view gets the focus. */
function giveFocus(before: Element | null): void {
  if (!(before instanceof HTMLElement) || before === document.body || !takesFocus(before)) {
    rescueFocus();
    return;
  }
  const leave = () => {
    watch.disconnect();
    if (!before.isConnected) rescueFocus();
  };
  const watch = new MutationObserver(() => {
    if (!before.isConnected) leave();
  });
  watch.observe(document.body, { childList: true, subtree: true });
  before.addEventListener('blur', () => queueMicrotask(leave), { once: true });
}

/** Focuses the element. @returns false if it is gone or hidden, such as a button of a menu that closed when the dialog opened */
function takesFocus(element: HTMLElement): boolean {
  element.focus();
  return document.activeElement === element;
}
