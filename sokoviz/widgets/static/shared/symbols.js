/** What stands on a square, one symbol a piece, drawn in a square of 32 units; Python reads the same file. */
export const SYMBOLS = `
<symbol id="goal" overflow="visible"><circle class="sokoviz-goal-halo" cx="16" cy="16" r="6.5"/><circle class="sokoviz-goal-ring" cx="16" cy="16" r="6.5"/></symbol>
<symbol id="box" overflow="visible"><rect class="sokoviz-box-body" x="4.5" y="4.5" width="23" height="23" rx="4"/><rect class="sokoviz-box-inlay" x="8.5" y="8.5" width="15" height="15" rx="1.5"/></symbol>
<symbol id="box-on-goal" overflow="visible"><rect class="sokoviz-box-body sokoviz-home" x="4.5" y="4.5" width="23" height="23" rx="4"/><circle class="sokoviz-box-plate" cx="16" cy="16" r="8.5"/><circle class="sokoviz-goal-ring" cx="16" cy="16" r="5.5"/></symbol>
<symbol id="player" overflow="visible"><circle class="sokoviz-player-body" cx="16" cy="16" r="9.5"/></symbol>
<symbol id="player-on-goal" overflow="visible"><circle class="sokoviz-goal-halo" cx="16" cy="16" r="12"/><circle class="sokoviz-goal-ring sokoviz-thin" cx="16" cy="16" r="12"/><circle class="sokoviz-player-body" cx="16" cy="16" r="8"/></symbol>
<symbol id="X" overflow="visible"><path class="sokoviz-first-mark" d="M8.5 8.5L23.5 23.5M23.5 8.5L8.5 23.5"/></symbol>
<symbol id="O" overflow="visible"><circle class="sokoviz-second-mark" cx="16" cy="16" r="8.5"/></symbol>
`;
