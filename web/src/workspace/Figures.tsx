import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { Icon, type IconName } from '../components/Icon.js';

/** A `<dl>`, so that screen readers read each number with its name. */
export function Figures({ children }: { children: ReactNode }) {
  return <dl className="figures">{children}</dl>;
}

interface FigureProps {
  label: string;
  /** Formatted, with its unit; undefined while it is loading. */
  value: string | undefined;
  note?: ReactNode;
}

export function Figure({ label, value, note }: FigureProps) {
  return (
    <div className="figure">
      <dt>{label}</dt>
      <dd className="figure__value">{value ?? <span className="figure__waiting">Loading</span>}</dd>
      {note && <dd className="figure__note">{note}</dd>}
    </div>
  );
}

export interface CardLink {
  to: string;
  title: string;
  text?: ReactNode;
  figure?: string;
  icon?: IconName;
}

export function Cards({ label, links }: { label?: string; links: readonly CardLink[] }) {
  return (
    <ul className="cards" aria-label={label}>
      {links.map(({ to, title, text, figure, icon }) => (
        <li key={to}>
          <Link className="card" to={to}>
            {icon && <Icon name={icon} />}
            <span className="card__title">{title}</span>
            {text && <span className="card__text">{text}</span>}
            {figure && <span className="card__figure">{figure}</span>}
          </Link>
        </li>
      ))}
    </ul>
  );
}
