import { useAddressParams } from '../../workspace/address-params.js';
import { oneOf } from '../../workspace/list-filter.js';

const views = { list: true, board: true } as const;
export type ProjectView = keyof typeof views;

const storageKey = 'projects-view';

/** The view that the address names, or else the one that was last chosen in this browser; at first, the list. */
export function useProjectView(): readonly [ProjectView, (view: ProjectView) => void] {
  const [address, changeAddress] = useAddressParams();
  const view = oneOf(views, address.get('view') ?? undefined) ?? rememberedView() ?? 'list';
  return [
    view,
    (chosen) => {
      remember(chosen);
      changeAddress({ view: chosen, page: null });
    },
  ];
}

/** Undefined if nothing was chosen yet, or storage is forbidden. */
function rememberedView(): ProjectView | undefined {
  try {
    return oneOf(views, localStorage.getItem(storageKey) ?? undefined);
  } catch {
    return undefined;
  }
}

function remember(view: ProjectView): void {
  try {
    localStorage.setItem(storageKey, view);
  } catch {
    // Without storage, the choice is not remembered.
  }
}
