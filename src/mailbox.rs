//! How what other threads have made comes back to JavaScript.
//!
//! A session has one threadsafe function for all of its promises. napi-rs makes one for each, with a handle in the
//! event loop and a hook for the end of the process, and takes both away again.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

use napi::Status;
use napi::bindgen_prelude::{Env, Function, Result};
use napi::threadsafe_function::{
    ThreadsafeCallContext, ThreadsafeFunction, ThreadsafeFunctionCallMode,
};

use super::promise::Waiting;
use crate::dropin::raw::keep_alive;

/// How many promises in a row are settled by the calls that made them. Who awaits such a promise goes on before the
/// event loop turns, so that timers and input would have to wait for as long as a program reads short files.
const MOST_EARLY: u32 = 16;

/// Settles a promise with what a thread has made.
type Settle = Box<dyn FnOnce(Env, Waiting) -> Result<()> + Send>;

/// A promise's number, and what settles it.
type SettleCall = (u64, Settle);

/// The session's threadsafe function.
type SettleFunction = ThreadsafeFunction<SettleCall, (), (), Status, false, true>;

/// The promises of a session that wait for other threads.
pub struct Mailbox {
    function: Arc<SettleFunction>,
    promises: Rc<Promises>,
}

/// Promises by their numbers.
#[derive(Default)]
pub struct Promises {
    /// Each keeps the way back open, even if nobody has the session any more.
    waiting: RefCell<HashMap<u64, (Waiting, Arc<SettleFunction>)>>,
    next: Cell<u64>,
    /// How many were settled by the call that made them since the event loop last turned.
    early: Cell<u32>,
}

/// What a thread needs to have a promise settled.
pub struct PromiseHandle {
    number: u64,
    function: Arc<SettleFunction>,
}

impl Mailbox {
    /// An empty mailbox, which does not keep the process alive.
    pub fn new(env: Env) -> Result<Self> {
        // Node-API wants a function to call afterwards; the promise is settled before.
        let nothing: Function<'_, (), ()> =
            env.create_function_from_closure("settled", |_| Ok(()))?;
        let promises = Rc::new(Promises::default());
        let settled = Rc::clone(&promises);
        let function = nothing
            .build_threadsafe_function::<SettleCall>()
            .callee_handled::<false>()
            .weak::<true>()
            .build_callback(move |call: ThreadsafeCallContext<SettleCall>| {
                let (number, settle) = call.value;
                // It is the event loop that calls this.
                settled.early.set(0);
                match settled.take(call.env, number) {
                    Some(waiting) => settle(call.env, waiting),
                    // A signal was first.
                    None => Ok(()),
                }
            })?;
        Ok(Self { function: Arc::new(function), promises })
    }

    /// A number for a promise.
    pub fn number(&self) -> u64 {
        let number = self.promises.next.get();
        self.promises.next.set(number + 1);
        number
    }

    /// The promises that wait.
    pub fn promises(&self) -> Rc<Promises> {
        Rc::clone(&self.promises)
    }

    /// Lets a promise wait, which keeps the process alive.
    pub fn wait(&self, env: Env, number: u64, waiting: Waiting) -> Result<PromiseHandle> {
        let mut all = self.promises.waiting.borrow_mut();
        if all.is_empty() {
            keep_alive(env, &self.function, true)?;
        }
        all.insert(number, (waiting, Arc::clone(&self.function)));
        Ok(PromiseHandle { number, function: Arc::clone(&self.function) })
    }
}

impl Promises {
    /// Whether the next promise may be settled by the call that makes it.
    pub fn may_be_early(&self) -> bool {
        self.early.get() < MOST_EARLY
    }

    /// The promise of this number, which the call that made it settles.
    pub fn take_early(&self, env: Env, number: u64) -> Option<Waiting> {
        self.early.update(|early| early + 1);
        self.take(env, number)
    }

    /// The promise of this number, unless it is settled.
    pub fn take(&self, env: Env, number: u64) -> Option<Waiting> {
        let mut all = self.waiting.borrow_mut();
        let (waiting, function) = all.remove(&number)?;
        if all.is_empty() {
            // If this fails the process lives longer; the promise matters more.
            let _ = keep_alive(env, &function, false);
        }
        Some(waiting)
    }
}

impl PromiseHandle {
    /// Has the promise settled, soon, by its own thread.
    pub fn send(self, settle: impl FnOnce(Env, Waiting) -> Result<()> + Send + 'static) {
        // Without an environment there is nobody left who waits.
        self.function
            .call((self.number, Box::new(settle)), ThreadsafeFunctionCallMode::NonBlocking);
    }
}
