import type { ShownRecord } from '../lib/site.js';

/** Counters without a number are left out. */
export function CounterList({ counters }: { counters: ShownRecord<'counters'> }) {
  const figures = [
    [counters.happyClientsNumber, counters.happyClientsText],
    [counters.projectCompleteNumber, counters.projectCompleteText],
    [counters.yearofExperienceNumber, counters.yearofExperienceText],
    [counters.winingAwardNumber, counters.winingAwardText],
  ] as const;
  return (
    <dl className="counters">
      {figures.map(([number, text], index) =>
        number ? (
          <div className="counter" key={index}>
            <dt>{text}</dt>
            <dd>{`${number}+`}</dd>
          </div>
        ) : null,
      )}
    </dl>
  );
}
