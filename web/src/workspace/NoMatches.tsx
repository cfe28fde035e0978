import { Empty } from './Empty.js';
import { ShowAll } from './ShowAll.js';

interface NoMatchesProps {
  /** What the list contains, in the plural: 'orders'. */
  what: string;
  showAll(): void;
}

export function NoMatches({ what, showAll }: NoMatchesProps) {
  return <Empty title={`No matching ${what}`} action={<ShowAll look="quiet" showAll={showAll} />} />;
}
