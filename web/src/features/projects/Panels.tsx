import { type KeyboardEvent, type ReactNode, useRef } from 'react';
import { useAddressParams } from '../../workspace/address-params.js';

interface Panel {
  name: string;
  title: string;
  content: ReactNode;
}

interface PanelsProps {
  /** True if there is room to show all panels at once. The one named `conversation` is then the main column. */
  isWide: boolean;
  panels: readonly [Panel, ...Panel[]];
}

/** If there is no room for all panels, they are tabs. The address contains the name of the chosen one, unless it is the first. */
export function Panels({ isWide, panels }: PanelsProps) {
  const [params, change] = useAddressParams();
  const [first] = panels;
  const chosen = panels.find(({ name }) => name === params.get('show')) ?? first;
  const tabs = useRef<HTMLDivElement>(null);
  const choose = (name: string) => change({ show: name === first.name ? null : name });

  function onKeyDown({ key }: KeyboardEvent): void {
    const offset = { ArrowRight: 1, ArrowLeft: -1 }[key];
    if (!offset) return;
    const index = (panels.indexOf(chosen) + offset + panels.length) % panels.length;
    choose(panels[index]!.name);
    tabs.current?.querySelectorAll<HTMLElement>('[role=tab]')[index]?.focus();
  }

  // Panels are the same elements in both layouts, so that typed text is not lost when the window is resized.
  return (
    <div className="project">
      {!isWide && (
        <div className="tabs" role="tablist" aria-label="Parts of the project" ref={tabs}>
          {panels.map(({ name, title }) => (
            <button
              key={name}
              type="button"
              role="tab"
              id={`tab-${name}`}
              aria-controls={`panel-${name}`}
              aria-selected={name === chosen.name}
              tabIndex={name === chosen.name ? 0 : -1}
              onClick={() => choose(name)}
              onKeyDown={onKeyDown}
            >
              {title}
            </button>
          ))}
        </div>
      )}
      {panels.map(({ name, content }) => (
        <div
          className={`project__panel project__panel--${name}`}
          key={name}
          id={`panel-${name}`}
          hidden={!isWide && name !== chosen.name}
          {...(!isWide && { role: 'tabpanel', 'aria-labelledby': `tab-${name}` })}
        >
          {content}
        </div>
      ))}
    </div>
  );
}
