import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { addressKind } from '../lib/address.js';

interface ActionLinkProps {
  address: string | undefined;
  className?: string;
  children: ReactNode;
}

export function ActionLink({ address, className, children }: ActionLinkProps) {
  const kind = addressKind(address);
  if (!address || !kind || !children) return null;
  if (kind === 'path') {
    return (
      <Link className={className} to={address}>
        {children}
      </Link>
    );
  }
  return (
    <a className={className} href={address} rel={kind === 'elsewhere' ? 'noopener' : undefined}>
      {children}
    </a>
  );
}
