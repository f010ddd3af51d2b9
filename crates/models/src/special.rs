//! The names of what only code can model.
//!
//! A row with a special effect says *that* a method needs such code; the code lives in the analysis. Each entry says
//! what the call does, and what an analysis without better knowledge must assume so as to miss nothing.

use std::fmt;

use serde::Deserialize;

macro_rules! specials {
    ($($(#[$meta:meta])* $variant:ident = $name:literal,)*) => {
        /// A method that named code in the analysis models.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Deserialize)]
        pub enum Special {
            $($(#[$meta])* #[serde(rename = $name)] $variant,)*
        }

        impl Special {
            /// All of them, in the order of their declaration.
            pub const ALL: &'static [Special] = &[$(Special::$variant),*];

            /// The name, as rows write it.
            pub fn name(self) -> &'static str {
                match self { $(Special::$variant => $name),* }
            }
        }
    };
}

specials! {
    /// `Object.clone`: the result is a shallow copy of the receiver. For an array, a new array of the same class with
    /// the same elements; for another object, a new object of the same class with the same field values.
    Clone = "object.clone",
    /// `Object.getClass`: the result is the class object of the receiver's class.
    GetClass = "object.get-class",
    /// `System.arraycopy(source, _, target, _, _)`: elements of `source` become elements of `target`, as far as its
    /// element type admits them.
    ArrayCopy = "array.copy",
    /// `Arrays.copyOf` and `copyOfRange` of references: the result is a new array with elements of the first argument;
    /// its class is that of the first argument, or the one that a `Class` argument names.
    ArrayCopyOf = "array.copy-of",
    /// `Array.newInstance(Class, ..)`: the result is a new array whose element type the class argument names.
    ArrayNewInstance = "array.new-instance",

    /// `Class.forName(name, ..)`, `ClassLoader.loadClass(name)`: the result is the class object of the class that the
    /// string names. `forName` without `false` also initialises it. Class loaders of the program may run.
    ForName = "reflection.for-name",
    /// `Class.newInstance()`: a new object of the receiver's class, whose constructor without parameters runs.
    NewInstance = "reflection.new-instance",
    /// `Constructor.newInstance(Object[])`: a new object of the constructor's class; the constructor runs with the
    /// array's elements as arguments.
    ConstructorNewInstance = "reflection.constructor-new-instance",
    /// `Method.invoke(receiver, Object[])`: the method runs, with the array's elements as arguments, and its result
    /// (boxed) is the result.
    Invoke = "reflection.invoke",
    /// `InvocationHandler.invokeDefault(proxy, method, Object[])`: the default method itself runs on the proxy, with the array's
    /// elements as arguments, and its result is the result.
    InvokeDefault = "reflection.invoke-default",
    /// `Class.getComponentType`: the class object of the element type of the receiver, which stands for an array class.
    ComponentType = "reflection.component-type",
    /// `Class.getMethod(name, Class[])` and its relatives: a `Method` of the receiver's class by name, or an array of all.
    GetMethod = "reflection.get-method",
    /// `Class.getConstructor(Class[])` and its relatives: a `Constructor` of the receiver's class, or an array of all.
    GetConstructor = "reflection.get-constructor",
    /// `Class.getField(name)` and its relatives: a `Field` of the receiver's class by name, or an array of all.
    GetField = "reflection.get-field",
    /// `Field.get(object)`: the value of the field of the object, or of the static field.
    FieldGet = "reflection.field-get",
    /// `Field.set(object, value)`: stores the value to the field of the object, or to the static field.
    FieldSet = "reflection.field-set",
    /// `Class.getEnumConstants` and `Enum.valueOf`: the values of the enum class (the receiver or the first argument),
    /// whose `values` method runs; as an array or one of them.
    EnumConstants = "reflection.enum-constants",
    /// `Reflection.getCallerClass`: the class object of the caller's caller. Any class object may be assumed.
    CallerClass = "reflection.caller-class",
    /// `Proxy.newProxyInstance(loader, interfaces, handler)`: a new object of a class that implements the interfaces;
    /// each of its methods calls `handler.invoke(proxy, method, arguments)` and returns the result.
    Proxy = "proxy.new-instance",
    /// `ServiceLoader.load(service, ..)`: for each provider class that `META-INF/services` files and module descriptors
    /// name for the service, a new object flows to `vm service-providers`; its constructor without parameters (or the
    /// static `provider` method that makes it) runs. Nothing flows to the result, which the body returns.
    ServiceLoader = "service-loader.load",
    /// `FactoryFinder.find(type, name)` of the XML packages: the result is a new object of the class that the string names, or of a
    /// class of the program that is a subclass of the type; its constructor without parameters runs.
    NamedFactory = "reflection.named-factory",
    /// `ClassLoader.defineClass` and `Lookup.defineClass`: a class exists from now on that no class file holds. What its code does is not
    /// known; an analysis must say so.
    DefineClass = "class.define",

    /// `Unsafe.getReference*(object, offset)`: the result is what the field (or element, or static field) at the
    /// offset holds. Where the offset is unknown: any reference field or element of the object.
    UnsafeGet = "unsafe.get",
    /// `Unsafe.putReference*(object, offset, value)`: stores the value at the offset; any field where it is unknown.
    UnsafePut = "unsafe.put",
    /// `Unsafe.compareAndSetReference*(object, offset, expected, value)`: as `unsafe.put` of the last argument.
    UnsafeCompareAndSet = "unsafe.compare-and-set",
    /// `Unsafe.compareAndExchangeReference*(object, offset, expected, value)`, `getAndSetReference*(object, offset,
    /// value)`: as `unsafe.get`, and as `unsafe.put` of the last argument.
    UnsafeExchange = "unsafe.exchange",
    /// `Unsafe.allocateInstance(class)`: a new object of the class, without running a constructor.
    UnsafeAllocate = "unsafe.allocate-instance",
    /// `Unsafe.objectFieldOffset`, `staticFieldOffset`, `arrayBaseOffset`: makes a number that names a field. The value
    /// carries no reference; it matters to who resolves offsets.
    UnsafeOffset = "unsafe.offset",
    /// `Unsafe.staticFieldBase(field)`: an object that stands for the static fields of the field's class.
    UnsafeStaticBase = "unsafe.static-base",

    /// `MethodHandles.Lookup.find*`, `unreflect*`: a method handle for the member that class, name and type name.
    MethodHandleFind = "method-handle.find",
    /// `MethodHandle.invokeExact`, `invoke`, `invokeBasic`, `invokeWithArguments`: the member behind the handle is
    /// called, read or written with the arguments.
    MethodHandleInvoke = "method-handle.invoke",
    /// `MethodHandle.bindTo`, `asType`, `MethodHandles.insertArguments` and other combinators: the result is a handle that
    /// calls the receiver or the handles among the arguments, with arguments taken from its own, from the arguments
    /// of this call, and from results of the other handles. Coarsest: the result is every one of those handles, and
    /// bound arguments go to every parameter that admits them.
    MethodHandleAdapt = "method-handle.adapt",
    /// `MethodHandle.linkTo*`: calls the method that the last argument (a `MemberName`) names with the others. Only
    /// code that the JVM generates calls it.
    MethodHandleLinkTo = "method-handle.link-to",
    /// `MethodHandles.Lookup.findVarHandle`, `findStaticVarHandle`, `MethodHandles.arrayElementVarHandle`: a handle for
    /// the field that class, name and type name, or for the elements of arrays.
    VarHandleFind = "var-handle.find",
    /// `VarHandle.get*`: reads the variable that handle and coordinates name; the result is its value.
    VarHandleRead = "var-handle.read",
    /// `VarHandle.set*`: the last argument is stored to the variable.
    VarHandleWrite = "var-handle.write",
    /// `VarHandle.compareAndSet` and the weak variants: the last argument may be stored to the variable.
    VarHandleCompareAndSet = "var-handle.compare-and-set",
    /// `VarHandle.getAndSet*`, `compareAndExchange*`, `getAndAdd*`, `getAndBitwise*`: the last argument may be stored to
    /// the variable, and the result is its old value.
    VarHandleExchange = "var-handle.exchange",
    /// `LambdaMetafactory.metafactory` and `altMetafactory`, called as bootstrap methods: the call site makes objects
    /// of a class whose one method calls the implementation method.
    LambdaMetafactory = "lambda.metafactory",
    /// `StringConcatFactory.makeConcat*`, called as a bootstrap method: the call site makes strings.
    StringConcat = "string.concat",
    /// `ObjectMethods.bootstrap`, called as a bootstrap method: the call site is `equals`, `hashCode` or `toString` of a
    /// record, which calls the same method of the values of its components.
    RecordMethods = "record.object-methods",
    /// `SwitchBootstraps.typeSwitch` and `enumSwitch`, called as bootstrap methods: the call site makes numbers; it may
    /// call `equals` of constants.
    SwitchBootstrap = "switch.bootstrap",

    /// `ObjectInputStream.readObject` and its relatives: the result is a graph of objects of serializable classes, made
    /// without their constructors (but with that of the first class that is not serializable), whose `readObject`,
    /// `readResolve`, `readExternal` methods run.
    Deserialize = "serialization.read",
    /// `ObjectOutputStream.writeObject0(object, ..)`, through which all that is written goes: an object of the same class may
    /// be read. It goes to `vm deserialized`, and the constructor of the first class that is not serializable runs on it.
    Serialize = "serialization.write",
    /// `ObjectStreamClass.invokeWriteObject(object, ..)` and its relatives: the hook that the method is named after runs on the
    /// object, in each class of it that has one.
    SerializationHook = "serialization.hook",
    /// The fields of the object at argument 0 are put into the array at argument 1.
    SerializationGetFields = "serialization.get-fields",
    /// The fields of the object at argument 0 are taken from the array at argument 1.
    SerializationSetFields = "serialization.set-fields",
}

impl fmt::Display for Special {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_distinct() {
        let mut names: Vec<&str> = Special::ALL.iter().map(|special| special.name()).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), Special::ALL.len());
    }
}
