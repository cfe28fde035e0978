import { useEffect, useRef, useState } from 'react';
import { Icon } from '../../../components/Icon.js';
import { callApi, type Problem } from '../../../lib/api.js';
import { useRefresh } from '../../../lib/site.js';
import type { StoredRecord } from '../../../workspace/content-api.js';
import { useSave } from '../../../workspace/query.js';
import { offerUndo } from '../../../workspace/undo.js';
import { nameOf, type Part } from '../screens.js';

type Step = -1 | 1;

export interface RecordOrder {
  problem: Problem | undefined;
  /** Whether the record can move in that direction. */
  canMove(record: StoredRecord, step: Step): boolean;
  move(record: StoredRecord, step: Step): Promise<void>;
  /** The button that was pressed last. It keeps the focus when its record moves. */
  pressed: { id: string; step: Step } | undefined;
}

/** Moves records of a collection by one place, in the order that visitors see. Each move can be undone. */
export function useRecordOrder(part: Part, records: readonly StoredRecord[]): RecordOrder {
  const refreshSite = useRefresh();
  const [pressed, setPressed] = useState<RecordOrder['pressed']>();

  async function put(id: string, before: string): Promise<Problem | undefined> {
    const params = { section: part.section.name, id };
    const answer = await callApi('PUT /record-place/:section/:id', { params, body: { before } });
    if (!answer.ok) return answer.problem;
    refreshSite();
    return undefined;
  }

  const { save, saving, problem } = useSave(put);
  return {
    problem,
    pressed,
    canMove: (record, step) => records[records.indexOf(record) + step] !== undefined,
    async move(record, step) {
      if (saving) return;
      const at = records.indexOf(record);
      const before = records[step < 0 ? at - 1 : at + 2]?._id ?? 'end';
      const formerlyBefore = records[at + 1]?._id ?? 'end';
      setPressed({ id: record._id, step });
      if (await save(record._id, before))
        offerUndo(`‘${nameOf(part, record)}’ is now number ${at + step + 1} of ${records.length}`, () =>
          put(record._id, formerlyBefore),
        );
    },
  };
}

interface MoveButtonsProps {
  order: RecordOrder;
  part: Part;
  record: StoredRecord;
}

export function MoveButtons({ order, part, record }: MoveButtonsProps) {
  const name = nameOf(part, record);
  return (
    <span className="record__moves">
      <MoveButton order={order} record={record} step={-1} text={`Move ${name} up`} />
      <MoveButton order={order} record={record} step={1} text={`Move ${name} down`} />
    </span>
  );
}

interface MoveButtonProps {
  order: RecordOrder;
  record: StoredRecord;
  step: Step;
  text: string;
}

function MoveButton({ order, record, step, text }: MoveButtonProps) {
  const button = useRef<HTMLButtonElement>(null);
  const { pressed } = order;
  const isPressed = pressed?.id === record._id && pressed.step === step;
  useEffect(() => {
    // The browser drops the focus when it moves a row in the DOM.
    if (isPressed && document.activeElement === document.body) button.current?.focus();
  });
  const canMove = order.canMove(record, step);
  return (
    <button
      className={`icon-button ${step < 0 ? 'icon-button--up' : ''}`}
      type="button"
      ref={button}
      // Not disabled, because a disabled button would lose the focus at either end of the list.
      aria-disabled={!canMove}
      onClick={() => canMove && void order.move(record, step)}
    >
      <Icon name="down" />
      <span className="visually-hidden">{text}</span>
    </button>
  );
}
