export const use = 1
