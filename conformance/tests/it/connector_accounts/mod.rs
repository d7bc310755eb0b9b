mod create;
mod enabled;
mod lifecycle;
