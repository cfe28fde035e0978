import { callApi, type Problem } from '../../../lib/api.js';
import { useRefreshSite } from '../../../lib/site.js';
import type { StoredRecord } from '../../../workspace/content-api.js';
import { focusContentIfFocusIsLost } from '../../../workspace/focus-content.js';
import { MoveButton, type MoveStep } from '../../../workspace/MoveButton.js';
import { useSave } from '../../../workspace/query.js';
import { offerUndo } from '../../../workspace/undo.js';
import { nameOf, type ScreenPart } from '../content-screens.js';

export interface RecordOrder {
  problem: Problem | undefined;
  canMove(record: StoredRecord, step: MoveStep): boolean;
  move(record: StoredRecord, step: MoveStep): Promise<void>;
}

/** Moves a record by one place, in the order that visitors see. Each move can be undone. */
export function useRecordOrder(part: ScreenPart, records: readonly StoredRecord[]): RecordOrder {
  const refreshSite = useRefreshSite();

  /** `nextId` is the id of the record that follows, or `end` for the last place. */
  async function moveBefore(id: string, nextId: string): Promise<Problem | undefined> {
    const params = { section: part.section.name, id };
    const answer = await callApi('PUT /record-place/:section/:id', { params, body: { before: nextId } });
    if (!answer.ok) return answer.problem;
    refreshSite();
    return undefined;
  }

  const { save, saving, problem } = useSave(moveBefore);
  return {
    problem,
    canMove: (record, step) => records[records.indexOf(record) + step] !== undefined,
    async move(record, step) {
      if (saving) return;
      const index = records.indexOf(record);
      const nextId = records[step < 0 ? index - 1 : index + 2]?._id ?? 'end';
      const formerNextId = records[index + 1]?._id ?? 'end';
      if (await save(record._id, nextId))
        offerUndo(`‘${nameOf(part, record)}’ is now number ${index + step + 1} of ${records.length}`, () =>
          moveBefore(record._id, formerNextId),
        );
    },
  };
}

interface MoveButtonsProps {
  order: RecordOrder;
  part: ScreenPart;
  record: StoredRecord;
}

export function MoveButtons({ order, part, record }: MoveButtonsProps) {
  const name = nameOf(part, record);
  const button = (step: MoveStep) => (
    <MoveButton
      text={`Move ${name} ${step < 0 ? 'up' : 'down'}`}
      step={step}
      canMove={order.canMove(record, step)}
      // The record may now be on another page of the list.
      move={() => void order.move(record, step).then(focusContentIfFocusIsLost)}
    />
  );
  return (
    <span className="record__moves">
      {button(-1)}
      {button(1)}
    </span>
  );
}
