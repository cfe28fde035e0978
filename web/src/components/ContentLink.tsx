import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { addressKind } from '../lib/address.js';

interface ContentLinkProps {
  address: string | undefined;
  className?: string;
  children: ReactNode;
}

/** A link to an address from the content. Renders nothing if the address is not allowed, or without children. */
export function ContentLink({ address, className, children }: ContentLinkProps) {
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
