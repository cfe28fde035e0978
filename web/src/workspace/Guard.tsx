import { type ReactNode, useMemo } from 'react';
import type { Page } from '../lib/page.js';
import { ScreenContext } from './current-screen.js';
import { RequireAccount } from './RequireAccount.js';

interface GuardProps {
  screen: Page;
  screens: readonly Page[];
  children: ReactNode;
}

export function Guard({ screen, screens, children }: GuardProps) {
  const { access, isOpen } = screen;
  return (
    <ScreenContext value={useMemo(() => ({ screen, screens }), [screen, screens])}>
      {access && !isOpen ? <RequireAccount access={access}>{children}</RequireAccount> : children}
    </ScreenContext>
  );
}
